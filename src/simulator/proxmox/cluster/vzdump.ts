import { nameOf } from '../access/permissions.js'
import { badParameters, died, taskText } from '../api-error.js'
import { type Datacentre, nowSeconds } from '../datacentre.js'
import { copyTime } from '../durations.js'
import { type Call, find, flag, may, type Routes, text } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { VmState } from '../state.js'
import { contentOf, findVolume, getStorage, placeOf, putVolume } from '../storage/storages.js'
import type { Worker } from '../tasks.js'

function selected(call: Call): number[] {
  const { state } = call.datacentre
  const pool = find(call, 'pool')
  const vmids = splitList(find(call, 'vmid') ?? '').map(Number)
  if (flag(call, 'all') && vmids.length > 0) throw badParameters({ all: "option conflicts with option 'vmid'" })
  if (pool !== undefined) {
    const found = state.pools[pool]
    if (found === undefined) throw died(`pool '${pool}' does not exist`)
    return found.vms
  }
  if (flag(call, 'all'))
    return Object.values(state.vms)
      .filter(({ host }) => host === call.host)
      .map(({ vmid }) => vmid)
  if (vmids.length === 0) throw badParameters({ vmid: 'property is missing' })
  return vmids
}

function vzdump(call: Call): string {
  const { datacentre, host, identity } = call
  const vmids = selected(call)
  const id = vmids.length === 1 ? String(vmids[0]) : ''
  if (
    vmids.length > 0 &&
    vmids.every(
      (vmid) => datacentre.state.vms[String(vmid)] !== undefined && datacentre.state.vms[String(vmid)]?.host !== host,
    )
  )
    return 'OK'
  return datacentre.tasks.start({ host, type: 'vzdump', id, user: nameOf(identity) }, (worker) =>
    backUp(call, vmids, worker),
  )
}

function refuseStorage(call: Call): string {
  const id = find(call, 'storage') ?? 'local'
  try {
    const storage = getStorage(call.datacentre, id, call.host)
    if (!contentOf(storage).includes('backup')) throw died(`can't use storage '${id}' for backups - wrong content type`)
    return id
  } catch (error) {
    const text = taskText(error)
    const first = call.datacentre.state.storages[id] === undefined ? `could not activate storage '${id}': ${text} ` : ''
    throw died(`${first}could not get storage information for '${id}': ${text}`)
  }
}

async function backUp(call: Call, vmids: readonly number[], worker: Worker): Promise<void> {
  const { datacentre, host } = call
  const storage = refuseStorage(call)
  worker.log(`INFO: starting new backup job: vzdump ${vmids.join(' ')} --node ${host} --storage ${storage}`)
  let failures = 0
  for (const vmid of vmids) {
    const vm = datacentre.state.vms[String(vmid)]
    const problem =
      vm === undefined
        ? `unable to find VM '${vmid}'`
        : may(call, `/vms/${vmid}`, ['VM.Backup'])
          ? undefined
          : 'permission denied'
    if (problem === undefined && vm !== undefined) await backUpOne(call, vm, storage, worker)
    else {
      failures++
      worker.log(`ERROR: Backup of VM ${vmid} failed - ${problem ?? ''}`)
      worker.log(`INFO: Failed at ${stamp(datacentre)}`)
    }
  }
  worker.log(failures === 0 ? 'INFO: Backup job finished successfully' : 'INFO: Backup job finished with errors')
  if (failures > 0) throw died('job errors')
}

function stamp({ clock }: Datacentre): string {
  return new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ')
}

async function backUpOne({ datacentre, host }: Call, vm: VmState, id: string, worker: Worker): Promise<void> {
  const storage = getStorage(datacentre, id, host)
  worker.log(`INFO: Starting Backup of VM ${vm.vmid} (qemu)`)
  vm.config.lock = 'backup'
  try {
    await worker.sleep(copyTime(storage, 1024 ** 3))
  } finally {
    if (!worker.isKilled) delete vm.config.lock
  }
  const name = `vzdump-qemu-${vm.vmid}-${stamp(datacentre).replace(/[-:]/g, '_').replace(' ', '-')}.vma.zst`
  putVolume(datacentre, {
    volid: `${id}:backup/${name}`,
    storage: id,
    host: placeOf(storage, host),
    content: 'backup',
    format: 'vma.zst',
    size: 1024 ** 3,
    used: 1024 ** 3,
    ctime: nowSeconds(datacentre),
    vmid: vm.vmid,
    disk: {},
  })
  worker.log(`INFO: Finished Backup of VM ${vm.vmid} (00:00:10)`)
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

export const vzdumpRoutes: Routes = {
  'POST /nodes/{node}/vzdump': vzdump,
  'GET /nodes/{node}/vzdump/defaults': (call) => ({
    ...defaults,
    storage: find(call, 'storage') ?? 'local',
    ...(call.datacentre.pve === 8 ? { 'notification-policy': 'always' } : {}),
  }),
  'GET /nodes/{node}/vzdump/extractconfig': (call) => {
    const volume = text(call, 'volume')
    if (findVolume(call.datacentre, volume, call.host) === undefined) throw died(`volume '${volume}' does not exist`)
    return ''
  },
}
