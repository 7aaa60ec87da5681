import { isRoot, nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacentre, getVm } from '../datacentre.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, flag, type Routes, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import { refuseIfBase } from '../storage/images.js'
import { dropVolume, findStorage, findVolume, isBlock, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { withUserConfig } from '../user-config-lock.js'
import { refuseUnlessRootSkips } from './create.js'
import { byDriveName, isCdrom, isDriveKey, parseDrive, storageOf } from './drive.js'
import { dropFromRules } from './ha-services.js'
import { refuseIfLocked } from './start.js'

function destroy(call: Call): string {
  const { datacentre, host, identity } = call
  refuseUnlessRootSkips(call, isRoot(identity))
  const vm = getVm(datacentre, host, vmidOf(call))
  refuseUndeletable(call, vm)
  return datacentre.tasks.start({ host, type: 'qmdestroy', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacentre.locks.hold(vmLockFile(vm.vmid), 10_000, () => destroyVm(call, vm, worker)),
  )
}

function refuseUndeletable(call: Call, vm: VmState): void {
  const { vmid, config } = vm
  if (config.protection === '1') throw died(`can't remove VM ${vmid} - protection mode enabled`)
  if (call.datacentre.state.sections.ha?.[`vm:${vmid}`] !== undefined && !flag(call, 'purge'))
    throw died(`unable to remove VM ${vmid} - used in HA resources and purge parameter not set.`)
  if (vm.running) throw died(`VM ${vmid} is running - destroy failed`)
}

async function destroyVm(call: Call, vm: VmState, worker: Worker): Promise<void> {
  const { datacentre } = call
  getVm(datacentre, vm.host, vm.vmid)
  if (!flag(call, 'skiplock')) refuseIfLocked(vm)
  if (vm.running) throw died(`VM ${vm.vmid} is running - destroy failed`)
  await removeDisks(datacentre, vm, worker)
  vm.config = { lock: 'destroyed' }
  vm.pending = {}
  if (flag(call, 'destroy-unreferenced-disks')) removeStrays(datacentre, vm)
  await withUserConfig(datacentre, worker, () => forget(datacentre, vm))
  if (flag(call, 'purge')) {
    worker.log(`purging VM ${vm.vmid} from related configurations..`)
    purge(datacentre, vm.vmid, worker)
    dropFromRules(datacentre, `vm:${vm.vmid}`)
  }
  delete datacentre.state.vms[String(vm.vmid)]
}

/** A disk that cannot be deleted is a warning; the base of linked clones stops everything. */
async function removeDisks(datacentre: Datacentre, vm: VmState, worker: Worker): Promise<void> {
  const options = { ...vm.config, ...vm.pending }
  const files = Object.keys(options)
    .filter((key) => isDriveKey(key) || /^unused\d+$/.test(key))
    .sort(byDriveName)
    .map((key) => parseDrive(datacentre.pve, key, options[key] ?? ''))
    .filter((drive) => !isCdrom(drive) || /cloudinit/.test(drive.file))
    .map(({ file }) => file)
  const volumes = files
    .flatMap((file) => findVolume(datacentre, file, vm.host) ?? [])
    .filter((volume) => volume.vmid === vm.vmid)
  for (const file of files) tellMissing(datacentre, vm, file, worker)
  for (const volume of volumes) {
    const storage = findStorage(datacentre, volume.storage)
    if (storage !== undefined && vm.config.template === '1') refuseIfBase(datacentre, storage, volume, 'cloned')
  }
  const share = taskTime.destroy / Math.max(1, volumes.length)
  await worker.sleep(volumes.length === 0 ? 100 : share / 2)
  for (const volume of volumes) {
    dropVolume(datacentre, volume)
    const storage = findStorage(datacentre, volume.storage)
    if (storage?.type === 'lvmthin')
      worker.log(`  Logical volume "${pathOf(storage, volume.volid).split('/').at(-1) ?? ''}" successfully removed.`)
    await worker.sleep(share)
  }
}

function tellMissing(datacentre: Datacentre, vm: VmState, file: string, worker: Worker): void {
  const storage = findStorage(datacentre, storageOf(file) ?? '')
  if (storage === undefined || isBlock(storage) || findVolume(datacentre, file, vm.host) !== undefined) return
  worker.log(`disk image '${pathOf(storage, file)}' does not exist`)
}

function removeStrays(datacentre: Datacentre, vm: VmState): void {
  for (const volume of Object.values(datacentre.state.volumes))
    if (volume.vmid === vm.vmid && (volume.host === '' || volume.host === vm.host)) dropVolume(datacentre, volume)
}

function forget({ state }: Datacentre, { vmid }: VmState): void {
  state.access.acl = state.access.acl.filter(({ path }) => path !== `/vms/${vmid}`)
  for (const pool of Object.values(state.pools)) pool.vms = pool.vms.filter((member) => member !== vmid)
  delete state.firewall[`vm/${vmid}`]
}

function purge({ state }: Datacentre, vmid: number, worker: Worker): void {
  if (state.sections.ha?.[`vm:${vmid}`] !== undefined)
    worker.log(`NOTE: removed VM ${vmid} from HA resource configuration.`)
  delete state.sections.ha?.[`vm:${vmid}`]
  for (const job of Object.values(state.sections.backup ?? {})) {
    const left = String(job.vmid ?? '')
      .split(',')
      .filter((id) => id !== '' && id !== String(vmid))
    if (job.vmid !== undefined) job.vmid = left.join(',')
  }
  for (const id of Object.keys(state.sections.replication ?? {}))
    if (id.startsWith(`${vmid}-`)) delete state.sections.replication?.[id]
}

export const destroyRoutes: Routes = { 'DELETE /nodes/{node}/qemu/{vmid}': destroy }
