import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacenter, getRunnable, getVm } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, type Routes, text, vmidOf } from '../http/call.js'
import type { VmState } from '../state.js'
import { dropVolume, findVolume, putVolume } from '../storage/storages.js'
import { isCdrom, isDriveKey, parseDrive, printDrive } from './drive.js'
import { refuseIfLocked } from './start.js'

function convert(call: Call): string {
  const { datacenter, host, identity } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  if (Object.keys(vm.snapshots).length > 0) throw died('unable to create template, because VM contains snapshots')
  if (vm.config.template === '1') throw died("you can't convert a template to a template")
  if (vm.running) throw died("you can't convert a VM to template if VM is running")
  const only = find(call, 'disk')
  return datacenter.tasks.start({ host, type: 'qmtemplate', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, async () => {
      refuseIfLocked(vm)
      await worker.sleep(taskTime.template)
      for (const key of Object.keys(vm.config))
        if (isDriveKey(key) && (only === undefined || only === key)) makeBase(datacenter, vm, key)
      vm.config.template = '1'
    }),
  )
}

/** The volume gets a new name, as a base for linked clones. */
export function makeBase(datacenter: Datacenter, vm: VmState, key: string): void {
  const drive = parseDrive(datacenter.pve, key, vm.config[key] ?? '')
  const volume = isCdrom(drive) ? undefined : findVolume(datacenter, drive.file, vm.host)
  if (volume === undefined) return
  dropVolume(datacenter, volume)
  const volid = volume.volid.replace(/vm-(\d+)-disk-(\d+)(?!.*vm-\d+-disk)/, 'base-$1-disk-$2')
  putVolume(datacenter, { ...volume, volid })
  vm.config[key] = printDrive({ ...drive, file: volid })
}

const features: Record<string, (datacenter: Datacenter, vm: VmState) => boolean> = {
  copy: () => true,
  clone: (datacenter, vm) => disks(datacenter, vm).every((file) => /base-\d+-disk-/.test(file)),
  snapshot: (datacenter, vm) => disks(datacenter, vm).every((file) => !file.endsWith('.raw')),
}

function disks({ pve }: Datacenter, vm: VmState): string[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .map((key) => parseDrive(pve, key, vm.config[key] ?? ''))
    .filter((drive) => !isCdrom(drive))
    .map(({ file }) => file)
}

function feature(call: Call): unknown {
  const { datacenter, host } = call
  const vm = getRunnable(datacenter, host, vmidOf(call))
  const has = features[text(call, 'feature')]?.(datacenter, vm) ?? false
  return { hasFeature: has ? 1 : 0, nodes: Object.keys(datacenter.state.hosts) }
}

export function canSnapshot(datacenter: Datacenter, vm: VmState): boolean {
  return features.snapshot?.(datacenter, vm) ?? false
}

export const templateRoutes: Routes = {
  'POST /nodes/{node}/qemu/{vmid}/template': convert,
  'GET /nodes/{node}/qemu/{vmid}/feature': feature,
}
