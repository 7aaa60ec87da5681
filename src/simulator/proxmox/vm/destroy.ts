import { isRoot, nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacenter, getVm } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { dropFromRules } from '../ha/services.js'
import { type Call, flag, type Routes, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import { refuseIfBase } from '../storage/images.js'
import { dropVolume, findStorage, findVolume, isBlock, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { withUserConfig } from '../user-config-lock.js'
import { refuseUnlessRootSkips } from './create.js'
import { byDriveName, isCdrom, isDriveKey, parseDrive, storageOf } from './drive.js'
import { refuseIfLocked } from './start.js'

function destroy(call: Call): string {
  const { datacenter, host, identity } = call
  refuseUnlessRootSkips(call, isRoot(identity))
  const vm = getVm(datacenter, host, vmidOf(call))
  refuseUndeletable(call, vm)
  return datacenter.tasks.start({ host, type: 'qmdestroy', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, () => destroyVm(call, vm, worker)),
  )
}

function refuseUndeletable(call: Call, vm: VmState): void {
  const { vmid, config } = vm
  if (config.protection === '1') throw died(`can't remove VM ${vmid} - protection mode enabled`)
  if (call.datacenter.state.sections.ha?.[`vm:${vmid}`] !== undefined && !flag(call, 'purge'))
    throw died(`unable to remove VM ${vmid} - used in HA resources and purge parameter not set.`)
  if (vm.running) throw died(`VM ${vmid} is running - destroy failed`)
}

async function destroyVm(call: Call, vm: VmState, worker: Worker): Promise<void> {
  const { datacenter } = call
  getVm(datacenter, vm.host, vm.vmid)
  if (!flag(call, 'skiplock')) refuseIfLocked(vm)
  if (vm.running) throw died(`VM ${vm.vmid} is running - destroy failed`)
  await removeDisks(datacenter, vm, worker)
  vm.config = { lock: 'destroyed' }
  vm.pending = {}
  if (flag(call, 'destroy-unreferenced-disks')) removeStrays(datacenter, vm)
  await withUserConfig(datacenter, worker, () => forget(datacenter, vm))
  if (flag(call, 'purge')) {
    worker.log(`purging VM ${vm.vmid} from related configurations..`)
    purge(datacenter, vm.vmid, worker)
    dropFromRules(datacenter, `vm:${vm.vmid}`)
  }
  delete datacenter.state.vms[String(vm.vmid)]
}

/** A disk that cannot be deleted is a warning; the base of linked clones stops everything. */
async function removeDisks(datacenter: Datacenter, vm: VmState, worker: Worker): Promise<void> {
  const options = { ...vm.config, ...vm.pending }
  const files = Object.keys(options)
    .filter((key) => isDriveKey(key) || /^unused\d+$/.test(key))
    .sort(byDriveName)
    .map((key) => parseDrive(datacenter.pve, key, options[key] ?? ''))
    .filter((drive) => !isCdrom(drive) || /cloudinit/.test(drive.file))
    .map(({ file }) => file)
  const volumes = files
    .flatMap((file) => findVolume(datacenter, file, vm.host) ?? [])
    .filter((volume) => volume.vmid === vm.vmid)
  for (const file of files) tellMissing(datacenter, vm, file, worker)
  for (const volume of volumes) {
    const storage = findStorage(datacenter, volume.storage)
    if (storage !== undefined && vm.config.template === '1') refuseIfBase(datacenter, storage, volume, 'cloned')
  }
  const share = taskTime.destroy / Math.max(1, volumes.length)
  await worker.sleep(volumes.length === 0 ? 100 : share / 2)
  for (const volume of volumes) {
    dropVolume(datacenter, volume)
    const storage = findStorage(datacenter, volume.storage)
    if (storage?.type === 'lvmthin')
      worker.log(`  Logical volume "${pathOf(storage, volume.volid).split('/').at(-1) ?? ''}" successfully removed.`)
    await worker.sleep(share)
  }
}

function tellMissing(datacenter: Datacenter, vm: VmState, file: string, worker: Worker): void {
  const storage = findStorage(datacenter, storageOf(file) ?? '')
  if (storage === undefined || isBlock(storage) || findVolume(datacenter, file, vm.host) !== undefined) return
  worker.log(`disk image '${pathOf(storage, file)}' does not exist`)
}

function removeStrays(datacenter: Datacenter, vm: VmState): void {
  for (const volume of Object.values(datacenter.state.volumes))
    if (volume.vmid === vm.vmid && (volume.host === '' || volume.host === vm.host)) dropVolume(datacenter, volume)
}

function forget({ state }: Datacenter, { vmid }: VmState): void {
  state.access.acl = state.access.acl.filter(({ path }) => path !== `/vms/${vmid}`)
  for (const pool of Object.values(state.pools)) pool.vms = pool.vms.filter((member) => member !== vmid)
  delete state.firewall[`vm/${vmid}`]
}

function purge({ state }: Datacenter, vmid: number, worker: Worker): void {
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
