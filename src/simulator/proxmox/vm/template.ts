import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacentre, getRunnable, getVm } from '../datacentre.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, type Routes, text, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import { dropVolume, findVolume, putVolume } from '../storage/storages.js'
import { isCdrom, isDriveKey, parseDrive, printDrive } from './drive.js'
import { refuseIfLocked } from './start.js'

function convert(call: Call): string {
  const { datacentre, host, identity } = call
  const vm = getVm(datacentre, host, vmidOf(call))
  if (Object.keys(vm.snapshots).length > 0) throw died('unable to create template, because VM contains snapshots')
  if (vm.config.template === '1') throw died("you can't convert a template to a template")
  if (vm.running) throw died("you can't convert a VM to template if VM is running")
  const only = find(call, 'disk')
  return datacentre.tasks.start({ host, type: 'qmtemplate', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacentre.locks.hold(vmLockFile(vm.vmid), 10_000, async () => {
      refuseIfLocked(vm)
      await worker.sleep(taskTime.template)
      for (const key of Object.keys(vm.config))
        if (isDriveKey(key) && (only === undefined || only === key)) makeBase(datacentre, vm, key)
      vm.config.template = '1'
    }),
  )
}

/** The volume gets a new name, as a base for linked clones. */
export function makeBase(datacentre: Datacentre, vm: VmState, key: string): void {
  const drive = parseDrive(datacentre.pve, key, vm.config[key] ?? '')
  const volume = isCdrom(drive) ? undefined : findVolume(datacentre, drive.file, vm.host)
  if (volume === undefined) return
  dropVolume(datacentre, volume)
  const volid = volume.volid.replace(/vm-(\d+)-disk-(\d+)(?!.*vm-\d+-disk)/, 'base-$1-disk-$2')
  putVolume(datacentre, { ...volume, volid })
  vm.config[key] = printDrive({ ...drive, file: volid })
}

const features: Record<string, (datacentre: Datacentre, vm: VmState) => boolean> = {
  copy: () => true,
  clone: (datacentre, vm) => disks(datacentre, vm).every((file) => /base-\d+-disk-/.test(file)),
  snapshot: (datacentre, vm) => disks(datacentre, vm).every((file) => !file.endsWith('.raw')),
}

function disks({ pve }: Datacentre, vm: VmState): string[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .map((key) => parseDrive(pve, key, vm.config[key] ?? ''))
    .filter((drive) => !isCdrom(drive))
    .map(({ file }) => file)
}

function feature(call: Call): unknown {
  const { datacentre, host } = call
  const vm = getRunnable(datacentre, host, vmidOf(call))
  const has = features[text(call, 'feature')]?.(datacentre, vm) ?? false
  return { hasFeature: has ? 1 : 0, nodes: Object.keys(datacentre.state.hosts) }
}

export function canSnapshot(datacentre: Datacentre, vm: VmState): boolean {
  return features.snapshot?.(datacentre, vm) ?? false
}

export const templateRoutes: Routes = {
  'POST /nodes/{node}/qemu/{vmid}/template': convert,
  'GET /nodes/{node}/qemu/{vmid}/feature': feature,
}
