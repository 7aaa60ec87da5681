import { nameOf } from '../access/permissions.js'
import { died } from '../api-error.js'
import { type Datacenter, getVm } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, type Routes, text, vmidOf } from '../http/call.js'
import type { StorageState, VmState, VolumeState } from '../state.js'
import { findVolume, getStorage, isBlock, pathOf, refuseWithoutRoom } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { isCdrom, parseDrive, parseSize, printDrive, printSize, storageOf } from './drive.js'
import { refuseIfLocked } from './start.js'
import { refuseStale } from './update.js'

function resize(call: Call): string {
  const { datacenter, host, identity } = call
  const vmid = vmidOf(call)
  return datacenter.tasks.start({ host, type: 'resize', id: String(vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vmid), 10_000, () => resizeDisk(call, getVm(datacenter, host, vmid), worker)),
  )
}

async function resizeDisk(call: Call, vm: VmState, worker: Worker): Promise<void> {
  const { datacenter } = call
  const key = text(call, 'disk')
  refuseStale(vm, find(call, 'digest'))
  refuseIfLocked(vm)
  const value = vm.config[key]
  if (value === undefined) throw died(`disk '${key}' does not exist`)
  const drive = parseDrive(datacenter.pve, key, value)
  if (isCdrom(drive)) throw died("you can't resize a cdrom")
  const storage = getStorage(datacenter, storageOf(drive.file) ?? '', vm.host)
  const volume = findVolume(datacenter, drive.file, vm.host)
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`)
  const wanted = wantedSize(text(call, 'size'), volume.size)
  if (wanted < volume.size) throw died('shrinking disks is not supported')
  if (wanted > volume.size) {
    refuseWithoutRoom(datacenter, storage, vm.host, 0, drive.file)
    const whole = Math.ceil(wanted / 1024) * 1024
    refuseResize(datacenter, storage, volume, whole, worker)
    await worker.sleep(taskTime.resize)
    volume.size = whole
    if (!vm.running && !isBlock(storage)) worker.log('Image resized.')
  }
  vm.config[key] = printDrive({ ...drive, options: { ...drive.options, size: printSize(wanted) } })
}

const largestFile = 2 ** 43

/** Base images are sealed, and files have a maximum size: the tool reports it. */
function refuseResize(
  { pve }: Datacenter,
  storage: StorageState,
  { volid, format }: VolumeState,
  wanted: number,
  worker: Worker,
): void {
  const path = pathOf(storage, volid)
  const isBase = /base-\d+-disk-/.test(volid) && !isBlock(storage)
  if (!isBase && wanted < largestFile) return
  worker.log(
    isBase
      ? `qemu-img: Could not open '${path}': Could not open '${path}': Operation not permitted`
      : 'qemu-img: Could not resize file: File too large',
  )
  const preallocation = pve === 8 ? '' : `'--preallocation=${format === 'qcow2' ? 'metadata' : 'off'}' `
  throw died(
    `command '/usr/bin/qemu-img resize ${preallocation}-f ${format} ${path} ${BigInt(wanted)}' failed: exit code 1`,
  )
}

function wantedSize(size: string, now: number): number {
  const [, plus = '', amount = ''] = /^(\+?)(.+)$/.exec(size) ?? []
  const bytes = parseSize(amount)
  return plus === '+' ? now + bytes : bytes
}

export const resizeRoutes: Routes = { 'PUT /nodes/{node}/qemu/{vmid}/resize': resize }
