import { nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, getVm } from '../datacenter.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, number, type Routes, text, vmidOf } from '../http/call.js'
import type { VmState, VolumeState } from '../state.js'
import { allocateImage, formatOn, getImage } from '../storage/images.js'
import { contentOf, copyTimeOn, dropVolume, getStorage, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { digestOf } from './config.js'
import { type Drive, parseDrive, printDrive, printSize, storageOf } from './drive.js'
import { copyWithProgress, logAllocation } from './fill-drive.js'
import { refuseIfLocked } from './start.js'

function move(call: Call): string {
  return find(call, 'target-vmid') === undefined ? moveToStorage(call) : reassign(call)
}

function driveOf({ pve }: Datacenter, vm: VmState, key: string): Drive {
  const value = vm.config[key]
  if (value === undefined) throw died(`disk '${key}' does not exist`)
  return parseDrive(pve, key, value)
}

function refuseStale(vm: VmState, digest: string | undefined): void {
  if (digest !== undefined && digest !== digestOf(vm))
    throw died('detected modified configuration - file changed by other user? Try again.')
}

function moveToStorage(call: Call): string {
  const { datacenter, host, identity } = call
  const id = find(call, 'storage')
  if (id === undefined) throw badParameters({ storage: "missing parameter 'storage' or 'target-vmid'" })
  must(call, `/storage/${id}`, ['Datastore.AllocateSpace'])
  const storage = getStorage(datacenter, id, host)
  if (!contentOf(storage).includes('images'))
    throw badParameters({ storage: `storage '${id}' does not support vm images` })
  const vm = getVm(datacenter, host, vmidOf(call))
  refuseStale(vm, find(call, 'digest'))
  refuseIfLocked(vm)
  const key = text(call, 'disk')
  const drive = driveOf(datacenter, vm, key)
  const original = getImage(datacenter, getStorage(datacenter, storageOf(drive.file) ?? '', host), drive.file, host)
  const format = formatOn(storage, find(call, 'format') ?? (original.storage === id ? original.format : undefined))
  if (original.storage === id && format === original.format)
    throw died("you can't move to the same storage with same format")
  return datacenter.tasks.start({ host, type: 'qmmove', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, () =>
      copyDisk(call, vm, drive, original, { storage: id, format }, worker),
    ),
  )
}

async function copyDisk(
  call: Call,
  vm: VmState,
  drive: Drive,
  original: VolumeState,
  to: { storage: string; format: string },
  worker: Worker,
): Promise<void> {
  const { datacenter } = call
  const storage = getStorage(datacenter, to.storage, vm.host)
  if (datacenter.pve === 9)
    worker.log(
      `copying volume '${drive.file}' from current storage '${original.storage}' to target storage '${storage.id}'`,
    )
  worker.log(`create full clone of drive ${drive.key} (${drive.file})`)
  const size = Math.ceil(original.size / 1024) * 1024
  const volume = allocateImage(datacenter, storage, {
    vmid: vm.vmid,
    host: vm.host,
    format: to.format,
    size,
    used: original.used,
    disk: original.disk,
  })
  logAllocation(worker, storage.type, pathOf(storage, volume.volid), to.format, size)
  if (datacenter.pve === 9) worker.log(`allocated target volume '${volume.volid}'`)
  await copyWithProgress(worker, size, copyTimeOn(datacenter, storage, vm.host, original.used))
  vm.config[drive.key] = printDrive({
    ...drive,
    file: volume.volid,
    options: { ...drive.options, size: printSize(size) },
  })
  if (!flag(call, 'delete')) return keepUnused(vm, original.volid)
  if (datacenter.pve === 9) worker.log(`removing source volume '${original.volid}' after successful copy`)
  dropVolume(datacenter, original)
}

function keepUnused(vm: VmState, volid: string): void {
  let n = 0
  while (vm.config[`unused${n}`] !== undefined) n++
  vm.config[`unused${n}`] = volid
}

/** A disk changes its owner and with it its name. */
function reassign(call: Call): string {
  const { datacenter, host, identity } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  const target = getVm(datacenter, host, number(call, 'target-vmid'))
  const key = text(call, 'disk')
  const targetKey = find(call, 'target-disk') ?? key
  must(call, `/vms/${target.vmid}`, ['VM.Config.Disk'])
  const drive = driveOf(datacenter, vm, key)
  if (target.config[targetKey] !== undefined)
    throw died(`Target disk key '${targetKey}' is already in use for VM '${target.vmid}'!`)
  return datacenter.tasks.start(
    { host, type: 'qmmove', id: `${vm.vmid}-${key}>${target.vmid}-${targetKey}`, user: nameOf(identity) },
    async (worker) => {
      const storage = getStorage(datacenter, storageOf(drive.file) ?? '', host)
      const original = getImage(datacenter, storage, drive.file, host)
      worker.log(
        datacenter.pve === 8
          ? `moving disk '${key}' from VM '${vm.vmid}' to '${target.vmid}'`
          : `reassign disk '${key}' from VM '${vm.vmid}' as '${targetKey}' to VM '${target.vmid}'`,
      )
      worker.log(`removing disk '${key}' from VM '${vm.vmid}' config`)
      delete vm.config[key]
      const moved = allocateImage(datacenter, storage, {
        vmid: target.vmid,
        host,
        format: original.format,
        size: original.size,
        used: original.used,
        disk: original.disk,
      })
      dropVolume(datacenter, original)
      const value = printDrive({
        ...drive,
        file: moved.volid,
        options: { ...drive.options, size: printSize(moved.size) },
      })
      worker.log(`update VM ${target.vmid}: -${targetKey} ${value}`)
      target.config[targetKey] = value
    },
  )
}

export const moveDiskRoutes: Routes = { 'POST /nodes/{node}/qemu/{vmid}/move_disk': move }
