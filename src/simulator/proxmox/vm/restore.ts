import { nameOf } from '../access/permissions.js'
import { badParameters, died, taskText } from '../api-error.js'
import { type Datacenter, refuseWithoutQuorum } from '../datacenter.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, may, must, vmidOf } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { findVolume, getStorage } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { openArchive } from './archive.js'
import { refuseForbiddenArchive } from './archive-rights.js'
import {
  addHaResource,
  createVm,
  refuseBadKeys,
  refuseMissingPool,
  refuseWithoutAllocate,
  reserve,
  startAfterwards,
} from './create.js'
import { isDriveKey } from './drive.js'
import { refuseForbiddenOptions } from './option-rights.js'
import { optionsOf } from './options.js'
import { type Restoring, restoreData } from './restore-data.js'
import { refuseIfLocked } from './start.js'
import { makeBase } from './template.js'

/** POST /nodes/{node}/qemu: creates a VM, or restores one from a backup. */
export function createOrRestoreVm(call: Call): Promise<string> {
  return find(call, 'archive') === undefined ? createVm(call) : restoreVm(call)
}

async function restoreVm(call: Call): Promise<string> {
  const { datacenter, host, identity } = call
  const vmid = vmidOf(call)
  const options = optionsOf(call)
  refuseWithoutQuorum(datacenter)
  refuseForbidden(call, vmid)
  const source = getSource(call, vmid, options)
  refuseForbiddenOptions(call, vmid, options, find(call, 'pool'))
  refuseBadKeys(options)
  const vm = await occupy(call, vmid)
  return datacenter.tasks.start({ host, type: 'qmrestore', id: String(vmid), user: nameOf(identity) }, (worker) =>
    bringBack({ call, vm, archive: openArchive(source), source, worker }),
  )
}

/** Restoring over an existing VM needs only the right to back it up, not to create VMs. */
function refuseForbidden(call: Call, vmid: number): void {
  const pool = find(call, 'pool')
  const storage = find(call, 'storage')
  refuseMissingPool(call, pool)
  if (storage !== undefined) must(call, `/storage/${storage}`, ['Datastore.AllocateSpace'])
  if (flag(call, 'ha-managed')) must(call, '/', ['Sys.Console'])
  if (flag(call, 'start') && !(pool !== undefined && may(call, `/pool/${pool}`, ['VM.PowerMgmt'])))
    must(call, `/vms/${vmid}`, ['VM.PowerMgmt'])
  const isOver = flag(call, 'force') && call.datacenter.state.vms[String(vmid)]?.host === call.host
  if (!isOver || !may(call, `/vms/${vmid}`, ['VM.Backup'])) refuseWithoutAllocate(call, vmid, pool)
}

function getSource(call: Call, vmid: number, options: Readonly<Record<string, string>>): VolumeState {
  const volid = find(call, 'archive') ?? ''
  const drive = Object.keys(options).sort().find(isDriveKey)
  if (drive !== undefined) throw badParameters({ [drive]: "option conflicts with option 'archive'" })
  if (volid === '-') throw died('pipe requires cli environment')
  if (!volid.includes(':')) throw died('Only root can pass arbitrary filesystem paths.')
  refuseForbiddenArchive(call, volid, vmid)
  getStorage(call.datacenter, volid.split(':')[0] ?? '', call.host)
  const source = findVolume(call.datacenter, volid, call.host)
  if (source === undefined) throw died(`volume '${volid}' does not exist`)
  return source
}

/** The VMID is taken at once, as in a create; with `force` the existing VM is locked. */
async function occupy(call: Call, vmid: number): Promise<VmState> {
  const { datacenter, host } = call
  const existing = datacenter.state.vms[String(vmid)]
  const failure = `unable to restore VM ${vmid} -`
  if (existing === undefined || !flag(call, 'force')) return reserve(datacenter, host, vmid, failure)
  if (existing.host !== host)
    throw died(
      `${failure} close (rename) atomic file '/etc/pve/nodes/${host}/qemu-server/${vmid}.conf' failed: File exists`,
    )
  try {
    return await datacenter.locks.hold(vmLockFile(vmid), 5000, () => {
      refuseIfLocked(existing)
      existing.config.lock = 'create'
      return existing
    })
  } catch (error) {
    throw died(`${failure} ${taskText(error)}`)
  }
}

async function bringBack(restoring: Restoring): Promise<void> {
  const { call, vm, worker } = restoring
  const { datacenter, identity } = call
  let isRestored = false
  try {
    if (vm.config.protection === '1') throw died(`unable to restore VM ${vm.vmid} - - protection mode enabled`)
    if (vm.running) throw died(`unable to restore VM ${vm.vmid} - vm is running`)
    await datacenter.locks.hold(vmLockFile(vm.vmid), 1000, async () => {
      await restoreData(restoring)
      isRestored = true
      if (vm.config.template === '1') becomeTemplate(datacenter, vm, worker)
    })
  } catch (error) {
    if (worker.isKilled) throw error
    if (vm.config.lock === 'create') delete vm.config.lock
    worker.log(isRestored ? leftWithData(vm.vmid) : leftWithoutData(vm.vmid))
    throw error
  }
  if (flag(call, 'start')) startAfterwards(datacenter, vm, nameOf(identity), worker)
  if (flag(call, 'ha-managed')) {
    const requested = flag(call, 'start') ? 'started' : 'stopped'
    addHaResource(call, vm.vmid, `Add HA resource with request-state '${requested}'`, worker)
  }
}

const leftWithData = (vmid: number) =>
  `error after data was restored, VM disks should be OK but config may require adaptions. VM ${vmid} state is NOT cleaned up.`
const leftWithoutData = (vmid: number) =>
  `error before or during data restore, some or all disks were not completely restored. VM ${vmid} state is NOT cleaned up.`

function becomeTemplate(datacenter: Datacenter, vm: VmState, worker: Worker): void {
  worker.log('Convert to template.')
  for (const key of Object.keys(vm.config)) if (isDriveKey(key)) makeBase(datacenter, vm, key)
}
