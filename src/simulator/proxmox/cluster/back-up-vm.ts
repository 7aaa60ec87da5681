import { died, taskText } from '../api-error.js'
import { type Datacenter, nowSeconds } from '../datacenter.js'
import { type Call, find, flag, may } from '../http/call.js'
import type { StorageState, VmState } from '../state.js'
import { capacityOf, copyTimeOn, pathOf, placeOf, putVolume, takeRoom } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { type Archive, backupDrives, packArchive, takeArchive } from '../vm/archive.js'
import { refuseIfLocked, startVm } from '../vm/start.js'
import { notesFor } from './backup-notes.js'
import { backupsOn, prune } from './prune-backups.js'
import { keepsAll, limitOf, parseRetention, printRetention, type Retention } from './retention.js'

/** One VM of a backup job. */
export interface Backup {
  readonly call: Call
  readonly vm: VmState
  readonly storage: StorageState
  readonly worker: Worker
}

/** The job's retention, otherwise the storage's, otherwise everything is kept. */
function retentionOf({ call, storage }: Backup): Retention {
  const files = find(call, 'maxfiles')
  const old = files === undefined ? undefined : files === '0' ? 'keep-all=1' : `keep-last=${files}`
  return parseRetention(find(call, 'prune-backups') ?? old ?? storage.options['prune-backups'] ?? 'keep-all=1')
}

/** `2026-11-15 03:26:57`. */
function timeText({ clock }: Datacenter): string {
  return new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ')
}

/** `00:01:05`. */
function duration(ms: number): string {
  return new Date(Math.max(0, ms)).toISOString().slice(11, 19)
}

const extensions: Record<string, string> = { '1': '.lzo', lzo: '.lzo', gzip: '.gz', zstd: '.zst' }

/** Backs up one VM: locked meanwhile, with its state at the start of the copy. */
export async function backUpVm(backup: Backup): Promise<void> {
  const { call, vm, worker } = backup
  const { datacenter } = call
  const info = (line: string) => worker.log(`INFO: ${line}`)
  const startedAt = datacenter.clock.now()
  refuseHaStop(backup)
  refuseTooMany(backup)
  info(`Starting Backup of VM ${vm.vmid} (qemu)`)
  info(`Backup started at ${timeText(datacenter)}`)
  info(`status = ${vm.running ? 'running' : 'stopped'}`)
  refuseIfLocked(vm)
  vm.config.lock = 'backup'
  try {
    await writeArchive(backup, info)
    removeOlder(backup, info)
  } finally {
    if (!worker.isKilled) delete vm.config.lock
  }
  info(`Finished Backup of VM ${vm.vmid} (${duration(datacenter.clock.now() - startedAt)})`)
  info(`Backup finished at ${timeText(datacenter)}`)
}

/** HA would start what the backup stops. */
function refuseHaStop({ call, vm }: Backup): void {
  const resource = call.datacenter.state.sections.ha?.[`vm:${vm.vmid}`]
  if (find(call, 'mode') !== 'stop' || resource === undefined || (resource.state ?? 'started') !== 'started') return
  throw died(
    'Cannot execute a backup with stop mode on a HA managed and enabled Service. Use snapshot mode or disable the Service.',
  )
}

function refuseTooMany(backup: Backup): void {
  const { call, vm, storage } = backup
  const existing = backupsOn(call.datacenter, storage, call.host, vm.vmid)
  const guarded = existing.filter((volume) => volume.protected === true).length
  if (flag(call, 'protected')) {
    const unlimited = may(call, `/storage/${storage.id}`, ['Datastore.Allocate']) ? -1 : 5
    const most = Number(storage.options['max-protected-backups'] ?? unlimited)
    if (most >= 0 && guarded >= most)
      throw died(`The number of protected backups per guest is limited to ${most} on storage '${storage.id}'`)
    return
  }
  const limit = limitOf(retentionOf(backup))
  if (find(call, 'remove') === '0' && limit > 0 && existing.length - guarded >= limit)
    throw died(
      `There is a max backup limit of ${limit} enforced by the target storage or the vzdump parameters. Either increase the limit or delete old backups.`,
    )
}

async function writeArchive(backup: Backup, info: (line: string) => void): Promise<void> {
  const { call, vm, storage, worker } = backup
  const { datacenter, host } = call
  const mode = vm.running ? (find(call, 'mode') ?? 'snapshot') : 'stop'
  const ctime = nowSeconds(datacenter)
  tellContents(datacenter, vm, info)
  info(`backup mode: ${mode}`)
  info(`ionice priority: ${find(call, 'ionice') ?? '7'}`)
  const archive = await takeStill(backup, mode, info)
  const extension = extensions[find(call, 'compress') ?? '0'] ?? ''
  const stamp = new Date(ctime * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '_').replace('T', '-')
  const volid = `${storage.id}:backup/vzdump-qemu-${vm.vmid}-${stamp}.vma${extension}`
  const size = sizeOf(archive, extension !== '')
  info(`creating vzdump archive '${pathOf(storage, volid)}'`)
  if (capacityOf(datacenter, storage, host).avail < size)
    throw died(`vma_queue_write: write error - ${extension === '' ? 'No space left on device' : 'Broken pipe'}`)
  await worker.sleep(startOfJob + copyTimeOn(datacenter, storage, host, size))
  takeRoom(datacenter, storage, host, size)
  const volume = putVolume(datacenter, {
    volid,
    storage: storage.id,
    host: placeOf(storage, host),
    content: 'backup',
    format: `vma${extension}`,
    size,
    used: size,
    ctime,
    vmid: vm.vmid,
    bytes: packArchive(archive),
    disk: {},
  })
  info(`archive file size: ${sizeText(size)}`)
  const notes = notesFor(call, vm)
  if (notes !== undefined) {
    info('adding notes to backup')
    volume.notes = notes
  }
  if (flag(call, 'protected')) {
    info('marking backup as protected')
    volume.protected = true
  }
}

/** Model milliseconds until QEMU starts to copy. */
const startOfJob = 1500

/** Empty blocks take no space; the rest shrinks to about half if compressed. */
function sizeOf({ disks, config }: Archive, isCompressed: boolean): number {
  const data = disks.reduce((sum, { used }) => sum + used, 0)
  return 65_536 + JSON.stringify(config).length + Math.ceil(isCompressed ? data / 2 : data)
}

function sizeText(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${(bytes / 1024 ** 3).toFixed(2)}GB`
  return bytes >= 1024 ** 2 ? `${Math.floor(bytes / 1024 ** 2)}MB` : `${Math.floor(bytes / 1024)}KB`
}

function tellContents(datacenter: Datacenter, vm: VmState, info: (line: string) => void): void {
  if (vm.config.name !== undefined) info(`VM Name: ${vm.config.name}`)
  for (const { drive, volume, excluded } of backupDrives(datacenter, vm)) {
    if (excluded === undefined && volume === undefined)
      throw died(`cannot determine size of volume '${drive.file}' - volume '${drive.file}' does not exist`)
    if (excluded === undefined)
      info(`include disk '${drive.key}' '${drive.file}' ${drive.options.size ?? ''}`.trimEnd())
    else info(`exclude disk '${drive.key}' '${drive.file}' (${excluded})`)
  }
  for (const [key, value] of Object.entries(vm.config))
    if (/^unused\d+$/.test(key)) info(`skip unused drive '${value}' (not included into backup)`)
  if (Object.keys(vm.snapshots).length > 0) info('snapshots found (not included into backup)')
  if (Object.keys(vm.pending).length + Object.keys(vm.pendingDelete).length > 0)
    info('pending configuration changes found (not included into backup)')
}

/** The state in the archive: of the running guest, of a paused one, or of one that was shut down for it. */
async function takeStill({ call, vm, worker }: Backup, mode: string, info: (line: string) => void): Promise<Archive> {
  const { datacenter } = call
  if (!vm.running || mode === 'snapshot') return takeArchive(datacenter, vm)
  if (mode === 'suspend') {
    info('suspending guest')
    vm.paused = true
    await worker.sleep(startOfJob).finally(() => {
      vm.paused = false
    })
    info('resume vm')
    return takeArchive(datacenter, vm)
  }
  info('stopping virtual guest')
  await goDown(call, vm, worker)
  const archive = takeArchive(datacenter, vm)
  info('restarting vm')
  await startVm(datacenter, vm.host, vm.vmid, worker, true)
  return archive
}

async function goDown({ datacenter, parameters }: Call, vm: VmState, worker: Worker): Promise<void> {
  const seconds = Number(parameters.stopwait ?? 10) * 60
  const deadline = datacenter.clock.now() + seconds * 1000
  datacenter.machines.find(vm.vmid)?.acpiShutdown()
  while (vm.running && datacenter.clock.now() < deadline) await worker.sleep(500)
  if (vm.running)
    throw died(`command 'qm shutdown ${vm.vmid} --skiplock --keepActive --timeout ${seconds}' failed: exit code 255`)
}

function removeOlder(backup: Backup, info: (line: string) => void): void {
  const { call, vm, storage } = backup
  const retention = retentionOf(backup)
  if (find(call, 'remove') === '0' || keepsAll(retention)) return
  info(`prune older backups with retention: ${printRetention(retention)}`)
  const removed = prune(call.datacenter, backupsOn(call.datacenter, storage, call.host, vm.vmid), retention, info)
  info(`pruned ${removed} backup(s)${removed > 0 ? ' not covered by keep-retention policy' : ''}`)
}

/** The log entry of a failed backup; the job continues with the next VM. */
export function tellFailure(datacenter: Datacenter, vmid: number, error: unknown, worker: Worker): void {
  worker.log(`ERROR: Backup of VM ${vmid} failed - ${taskText(error)}`)
  worker.log(`INFO: Failed at ${timeText(datacenter)}`)
}
