import type { Datacenter } from '../datacenter.js'
import type { VmState } from '../state.js'
import { dropVolume, findVolume } from '../storage/storages.js'
import { isCdrom, isCloudInit, isDriveKey, parseDrive, storageOf } from './drive.js'

/** Applies everything that was pending. */
export function applyPending(datacenter: Datacenter, vm: VmState): void {
  for (const key of Object.keys(vm.pendingDelete).sort()) applyDelete(datacenter, vm, key)
  for (const key of Object.keys(vm.pending).sort()) applyChange(datacenter, vm, key)
}

export function applyDelete(datacenter: Datacenter, vm: VmState, key: string): void {
  const force = vm.pendingDelete[key] === 2
  delete vm.pendingDelete[key]
  const value = vm.config[key]
  if (value === undefined) return
  delete vm.config[key]
  if (/^unused\d+$/.test(key)) return void destroyVolume(datacenter, vm, value.split(',')[0] ?? '')
  if (isDriveKey(key)) releaseDrive(datacenter, vm, key, value, force)
}

export function applyChange(datacenter: Datacenter, vm: VmState, key: string): void {
  const value = vm.pending[key]
  delete vm.pending[key]
  if (value === undefined) return
  const before = vm.config[key]
  vm.config[key] = value
  if (before !== undefined && isDriveKey(key)) releaseIfReplaced(datacenter, vm, key, before, value)
}

function releaseIfReplaced(datacenter: Datacenter, vm: VmState, key: string, before: string, after: string): void {
  const [old, fresh] = [parseDrive(datacenter.pve, key, before), parseDrive(datacenter.pve, key, after)]
  if (old.file !== fresh.file) releaseDrive(datacenter, vm, key, before, false)
}

/** A detached disk stays as `unusedN`; a CD is just ejected. */
export function releaseDrive(datacenter: Datacenter, vm: VmState, key: string, value: string, force: boolean): void {
  const drive = parseDrive(datacenter.pve, key, value)
  const storage = storageOf(drive.file)
  if (storage === undefined) return
  if (isCdrom(drive) && !isCloudInit(drive)) return
  if (force || isCloudInit(drive)) return void destroyVolume(datacenter, vm, drive.file)
  if (isStillUsed(datacenter, vm, drive.file)) return
  let n = 0
  while (vm.config[`unused${n}`] !== undefined) n++
  vm.config[`unused${n}`] = drive.file
}

function isStillUsed({ pve }: Datacenter, vm: VmState, file: string): boolean {
  return [vm.config, vm.pending].some((options) =>
    Object.entries(options).some(
      ([key, value]) => (isDriveKey(key) ? parseDrive(pve, key, value).file : value) === file,
    ),
  )
}

/** A VM destroys only its own volumes. */
function destroyVolume(datacenter: Datacenter, vm: VmState, volid: string): boolean {
  const volume = findVolume(datacenter, volid, vm.host)
  if (volume === undefined || (volume.vmid !== undefined && volume.vmid !== vm.vmid)) return false
  dropVolume(datacenter, volume)
  return true
}
