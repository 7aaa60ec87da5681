import type { Datacentre } from '../datacentre.js'
import type { VmState } from '../state.js'
import { dropVolume, findVolume } from '../storage/storages.js'
import { isCdrom, isCloudInit, isDriveKey, parseDrive, storageOf } from './drive.js'

/** Applies everything that was pending. */
export function applyPending(datacentre: Datacentre, vm: VmState): void {
  for (const key of Object.keys(vm.pendingDelete).sort()) applyDelete(datacentre, vm, key)
  for (const key of Object.keys(vm.pending).sort()) applyChange(datacentre, vm, key)
}

export function applyDelete(datacentre: Datacentre, vm: VmState, key: string): void {
  const force = vm.pendingDelete[key] === 2
  delete vm.pendingDelete[key]
  const value = vm.config[key]
  if (value === undefined) return
  delete vm.config[key]
  if (/^unused\d+$/.test(key)) return void destroyVolume(datacentre, vm, value.split(',')[0] ?? '')
  if (isDriveKey(key)) releaseDrive(datacentre, vm, key, value, force)
}

export function applyChange(datacentre: Datacentre, vm: VmState, key: string): void {
  const value = vm.pending[key]
  delete vm.pending[key]
  if (value === undefined) return
  const before = vm.config[key]
  vm.config[key] = value
  if (before !== undefined && isDriveKey(key)) releaseIfReplaced(datacentre, vm, key, before, value)
}

function releaseIfReplaced(datacentre: Datacentre, vm: VmState, key: string, before: string, after: string): void {
  const [old, fresh] = [parseDrive(datacentre.pve, key, before), parseDrive(datacentre.pve, key, after)]
  if (old.file !== fresh.file) releaseDrive(datacentre, vm, key, before, false)
}

/** A detached disk stays as `unusedN`; a CD is just ejected. */
export function releaseDrive(datacentre: Datacentre, vm: VmState, key: string, value: string, force: boolean): void {
  const drive = parseDrive(datacentre.pve, key, value)
  const storage = storageOf(drive.file)
  if (storage === undefined) return
  if (isCdrom(drive) && !isCloudInit(drive)) return
  if (force || isCloudInit(drive)) return void destroyVolume(datacentre, vm, drive.file)
  if (isStillUsed(datacentre, vm, drive.file)) return
  let n = 0
  while (vm.config[`unused${n}`] !== undefined) n++
  vm.config[`unused${n}`] = drive.file
}

function isStillUsed({ pve }: Datacentre, vm: VmState, file: string): boolean {
  return [vm.config, vm.pending].some((options) =>
    Object.entries(options).some(
      ([key, value]) => (isDriveKey(key) ? parseDrive(pve, key, value).file : value) === file,
    ),
  )
}

/** A VM destroys only its own volumes. */
function destroyVolume(datacentre: Datacentre, vm: VmState, volid: string): boolean {
  const volume = findVolume(datacentre, volid, vm.host)
  if (volume === undefined || (volume.vmid !== undefined && volume.vmid !== vm.vmid)) return false
  dropVolume(datacentre, volume)
  return true
}
