import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died, taskText } from '../api-error.js'
import { type Call, find, flag, must, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { StorageState } from '../state.js'
import { contentOf, findVolume, getStorage } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { configText, openArchive } from '../vm/archive.js'
import { refuseForbiddenArchive } from '../vm/archive-rights.js'
import { backUpVm, tellFailure } from './back-up-vm.js'
import { refuseBadNotes } from './backup-notes.js'
import { pruneBackupsRoutes } from './prune-backups.js'

/** The guests of a job: those on this host or on none, and those of other hosts. */
interface Selection {
  readonly here: readonly number[]
  readonly elsewhere: readonly number[]
}

function select(call: Call): Selection {
  const { vms } = call.datacenter.state
  const vmids = wanted(call)
  const isElsewhere = (vmid: number) => (vms[String(vmid)]?.host ?? call.host) !== call.host
  return { here: vmids.filter((vmid) => !isElsewhere(vmid)), elsewhere: vmids.filter(isElsewhere) }
}

function wanted(call: Call): number[] {
  const { state } = call.datacenter
  const pool = find(call, 'pool')
  const excluded = splitList(find(call, 'exclude') ?? '').map(Number)
  if (pool !== undefined) {
    const found = state.pools[pool]
    if (found === undefined) throw died(`pool '${pool}' does not exist`)
    return found.vms
  }
  if (isAll(call)) return Object.values(state.vms).flatMap(({ vmid }) => (excluded.includes(vmid) ? [] : [vmid]))
  return splitList(find(call, 'vmid') ?? '').map(Number)
}

function isAll(call: Call): boolean {
  return flag(call, 'all') || (find(call, 'exclude') !== undefined && find(call, 'pool') === undefined)
}

function refuseConflicts(call: Call): void {
  const hasVmid = find(call, 'vmid') !== undefined
  if (flag(call, 'all') && hasVmid) throw badParameters({ all: "option conflicts with option 'vmid'" })
  for (const name of ['exclude', 'pool'])
    if (find(call, name) !== undefined && hasVmid)
      throw badParameters({ [name]: "option conflicts with option 'vmid'" })
  refuseBadNotes(call)
  if (!hasVmid && !isAll(call) && !flag(call, 'stop') && find(call, 'pool') === undefined)
    throw badParameters({ vmid: 'property is missing' })
}

/** Options that affect more than the guest and the storage. */
function refuseForbidden(call: Call): void {
  if (isRoot(call.identity)) return
  for (const name of ['tmpdir', 'dumpdir', 'script', 'job-id'])
    if (find(call, name) !== undefined) throw badParameters({ [name]: 'Only root may set this option.' })
  if (['bwlimit', 'ionice', 'performance'].some((name) => find(call, name) !== undefined))
    must(call, '/', ['Sys.Modify'])
  if (find(call, 'prune-backups') !== undefined) must(call, `/storage/${storageOf(call)}`, ['Datastore.Allocate'])
}

function storageOf(call: Call): string {
  return find(call, 'storage') ?? 'local'
}

async function vzdump(call: Call): Promise<string> {
  const { datacenter, host, identity } = call
  refuseForbidden(call)
  refuseConflicts(call)
  const selection = select(call)
  if (flag(call, 'stop')) await stopRunning(call)
  if (selection.here.length === 0 && (!isAll(call) || flag(call, 'stop'))) return 'OK'
  must(call, `/storage/${storageOf(call)}`, ['Datastore.AllocateSpace'])
  const id = selection.here.length === 1 ? String(selection.here[0]) : ''
  return datacenter.tasks.start({ host, type: 'vzdump', id, user: nameOf(identity) }, async (worker) => {
    const storage = getBackupStorage(call)
    const waitMs = Number(find(call, 'lockwait') ?? 180) * 60_000
    await datacenter.locks.hold(`/var/run/vzdump.lock on ${host}`, waitMs, () =>
      runJob(call, selection, storage, worker),
    )
  })
}

async function stopRunning(call: Call): Promise<void> {
  const { datacenter, host } = call
  must(call, `/nodes/${host}`, ['Sys.Modify'])
  const running = datacenter.state.tasks.filter(
    (task) => task.type === 'vzdump' && task.host === host && task.status === 'running',
  )
  for (const { upid } of running) await datacenter.tasks.stop(upid)
}

function getBackupStorage(call: Call): StorageState {
  const id = storageOf(call)
  try {
    const storage = getStorage(call.datacenter, id, call.host)
    if (!contentOf(storage).includes('backup')) throw died(`can't use storage '${id}' for backups - wrong content type`)
    if (storage.type === 'pbs') throw died(`the lab has no Proxmox Backup Server behind storage '${id}'`)
    return storage
  } catch (error) {
    const text = taskText(error)
    const first = call.datacenter.state.storages[id] === undefined ? `could not activate storage '${id}': ${text} ` : ''
    throw died(`${first}could not get storage information for '${id}': ${text}`)
  }
}

/** The job's options as command-line arguments. */
function commandLine({ parameters, host }: Call, storage: string): string {
  const { vmid, stop: _stop, ...options } = parameters
  const named: Record<string, unknown> = { ...options, node: host, storage }
  const rest = Object.keys(named)
    .sort()
    .map((name) => `--${name} ${String(named[name])}`)
  return ['vzdump', ...splitList(String(vmid ?? '')), ...rest].join(' ')
}

async function runJob(
  call: Call,
  { here, elsewhere }: Selection,
  storage: StorageState,
  worker: Worker,
): Promise<void> {
  worker.log(`INFO: starting new backup job: ${commandLine(call, storage.id)}`)
  if (elsewhere.length > 0) worker.log(`INFO: skip external VMs: ${[...elsewhere].sort((a, b) => a - b).join(', ')}`)
  const vmids = [...here].sort((a, b) => a - b).filter((vmid) => mayBackUp(call, vmid))
  let failures = 0
  for (const vmid of vmids) if (!(await tryOne(call, vmid, storage, worker))) failures++
  worker.log(failures === 0 ? 'INFO: Backup job finished successfully' : 'INFO: Backup job finished with errors')
  if (failures > 0) throw died('job errors')
}

/** `all` selects the guests that the caller may back up; a named guest requires the right. */
function mayBackUp(call: Call, vmid: number): boolean {
  const { permissions, identity, datacenter } = call
  if (datacenter.state.vms[String(vmid)] === undefined || permissions.has(identity, `/vms/${vmid}`, ['VM.Backup']))
    return true
  if (!isAll(call)) must(call, `/vms/${vmid}`, ['VM.Backup'])
  return false
}

async function tryOne(call: Call, vmid: number, storage: StorageState, worker: Worker): Promise<boolean> {
  const vm = call.datacenter.state.vms[String(vmid)]
  try {
    if (vm === undefined) throw died(`unable to find VM '${vmid}'`)
    await backUpVm({ call, vm, storage, worker })
    return true
  } catch (error) {
    tellFailure(call.datacenter, vmid, error, worker)
    if (worker.signal.aborted) throw error
    return false
  }
}

const defaults = {
  all: 0,
  bwlimit: 0,
  compress: '0',
  dumpdir: '/var/lib/vz/dump',
  fleecing: { enabled: 0 },
  ionice: 7,
  lockwait: 180,
  mailnotification: 'always',
  mode: 'snapshot',
  'notification-mode': 'auto',
  performance: { 'max-workers': 16, 'pbs-entries-max': 1_048_576 },
  pigz: 0,
  'prune-backups': 'keep-all=1',
  quiet: 0,
  remove: 1,
  stdexcludes: 1,
  stop: 0,
  stopwait: 10,
  zstd: 1,
}

function readDefaults(call: Call): Record<string, unknown> {
  const storage = storageOf(call)
  const keep = call.datacenter.state.storages[storage]?.options['prune-backups']
  return {
    ...defaults,
    ...(keep === undefined ? {} : { 'prune-backups': keep }),
    storage,
    ...(call.datacenter.pve === 8 ? { 'notification-policy': 'always' } : {}),
  }
}

/** The configuration file inside a backup. */
function extractConfig(call: Call): string {
  const volid = text(call, 'volume')
  const volume = findVolume(call.datacenter, volid, call.host)
  if (volume === undefined) throw died(`volume '${volid}' does not exist`)
  refuseForbiddenArchive(call, volid, undefined)
  return configText(openArchive(volume))
}

export const vzdumpRoutes: Routes = {
  'POST /nodes/{node}/vzdump': vzdump,
  'GET /nodes/{node}/vzdump/defaults': readDefaults,
  'GET /nodes/{node}/vzdump/extractconfig': extractConfig,
  ...pruneBackupsRoutes,
}
