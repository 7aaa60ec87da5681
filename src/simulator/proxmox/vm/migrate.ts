import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacenter, getVm, refuseWithoutQuorum } from '../datacenter.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { boundTo } from '../ha/placement.js'
import { haStateOf } from '../ha/services.js'
import { type Call, find, flag, must, type Routes, text, vmidOf } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { VmState, VolumeState } from '../state.js'
import { allocateImage } from '../storage/images.js'
import { dropVolume, findVolume, getStorage, isOnHost, isShared } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { memoryOf } from './config.js'
import { type Drive, isCdrom, isDriveKey, parseDrive, printDrive, storageOf } from './drive.js'
import { refuseIfLocked } from './start.js'

function drivesOf({ pve }: Datacenter, vm: VmState): Drive[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .map((key) => parseDrive(pve, key, vm.config[key] ?? ''))
}

function localDrives(datacenter: Datacenter, vm: VmState): { drive: Drive; volume: VolumeState }[] {
  return drivesOf(datacenter, vm).flatMap((drive) => {
    const storage = datacenter.state.storages[storageOf(drive.file) ?? '']
    const volume = findVolume(datacenter, drive.file, vm.host)
    return storage === undefined || volume === undefined || isShared(storage) ? [] : [{ drive, volume }]
  })
}

function precondition(call: Call): unknown {
  const { datacenter, host } = call
  const vm = getVm(datacenter, host, vmidOf(call))
  refuseIfLocked(vm)
  const others = Object.values(datacenter.state.hosts).filter(({ name, online }) => name !== host && online)
  const problems = new Map(others.map(({ name }) => [name, whyNotOn(datacenter, vm, name)]))
  const local = localDrives(datacenter, vm)
  const isNine = datacenter.pve === 9
  const mapped = Object.keys(vm.config).filter(
    (key) => /^hostpci\d+$/.test(key) && vm.config[key]?.includes('mapping='),
  )
  return {
    running: vm.running ? 1 : 0,
    allowed_nodes: [...problems].filter(([, why]) => why === undefined).map(([name]) => name),
    // Seen on Proxmox 9.2: allowed hosts are in it too, with nothing that they lack.
    not_allowed_nodes: Object.fromEntries([...problems].map(([name, why]) => [name, why ?? {}])),
    ...(isNine ? { 'has-dbus-vmstate': 1 } : {}),
    local_disks: local.map(({ drive, volume }) => ({
      volid: volume.volid,
      size: volume.size,
      drivename: drive.key,
      cdrom: isCdrom(drive) ? 1 : 0,
      shared: 0,
      replicate: 1,
      is_attached: 1,
      is_unused: 0,
      is_vmstate: 0,
      is_tpmstate: drive.key === 'tpmstate0' ? 1 : 0,
      ...(isNine ? { is_cloudinit: 0 } : {}),
    })),
    local_resources: Object.keys(vm.config).filter((key) => /^(hostpci|usb)\d+$/.test(key)),
    'mapped-resources': mapped,
    'mapped-resource-info': {},
  }
}

/** What another host lacks, and on Proxmox 9 the HA resources there that it must be apart from. */
function whyNotOn(datacenter: Datacenter, vm: VmState, host: string): Record<string, unknown> | undefined {
  const storages = storagesMissingOn(datacenter, vm, host)
  const { services } = haStateOf(datacenter)
  const apart = boundTo(datacenter, `vm:${vm.vmid}`, 'negative').filter((sid) => services[sid]?.node === host)
  if (storages.length + apart.length === 0) return undefined
  return {
    ...(storages.length === 0 ? {} : { unavailable_storages: storages }),
    ...(apart.length === 0
      ? {}
      : { 'blocking-ha-resources': apart.map((sid) => ({ sid, cause: 'resource-affinity' })) }),
  }
}

/** Storages of its drives that another host does not have. */
function storagesMissingOn(datacenter: Datacenter, vm: VmState, host: string): string[] {
  const ids = drivesOf(datacenter, vm).flatMap(({ file }) => storageOf(file) ?? [])
  return [...new Set(ids)].filter((id) => {
    const storage = datacenter.state.storages[id]
    return storage !== undefined && !isOnHost(storage, host)
  })
}

/** Moves a VM to another host; the checks come before the task. */
export function migrateVm(call: Call): string {
  const { datacenter, host, identity } = call
  refuseWithoutQuorum(datacenter)
  const target = text(call, 'target')
  if (target === host) throw badParameters({ target: 'target is local node.' })
  if (datacenter.state.hosts[target] === undefined) throw died(`no such cluster node '${target}'`)
  if (flag(call, 'force') && !isRoot(identity)) throw badParameters({ force: 'Only root may use this option.' })
  const vm = getVm(datacenter, host, vmidOf(call))
  refuseIfLocked(vm)
  if (vm.running && !flag(call, 'online')) throw died("can't migrate running VM without --online")
  const storages = targetStorages(call, vm)
  for (const storage of new Set(storages.values()))
    if (find(call, 'targetstorage') !== undefined) must(call, `/storage/${storage}`, ['Datastore.AllocateSpace'])
  return datacenter.tasks.start({ host, type: 'qmigrate', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacenter.locks.hold(vmLockFile(vm.vmid), 10_000, () => moveVm(call, vm, target, storages, worker)),
  )
}

/** The target of each storage's volumes: by name, all to one, or pair by pair. */
function targetStorages(call: Call, vm: VmState): Map<string, string> {
  const wanted = find(call, 'targetstorage')
  const pairs = new Map(splitList(wanted ?? '').map((pair) => pair.split(':').slice(0, 2) as [string, string]))
  const single = splitList(wanted ?? '').find((entry) => entry !== '1' && !entry.includes(':'))
  return new Map(
    drivesOf(call.datacenter, vm).flatMap(({ file }) => {
      const id = storageOf(file)
      return id === undefined ? [] : [[id, pairs.get(id) ?? single ?? id] as [string, string]]
    }),
  )
}

async function moveVm(
  call: Call,
  vm: VmState,
  target: string,
  storages: ReadonlyMap<string, string>,
  worker: Worker,
): Promise<void> {
  const { datacenter } = call
  worker.log(
    `starting migration of VM ${vm.vmid} to node '${target}' (${datacenter.state.hosts[target]?.address ?? ''})`,
  )
  refuseDevices(vm)
  const missing = drivesOf(datacenter, vm).find((drive) => isMissing(datacenter, vm, drive))
  if (missing !== undefined)
    throw died(`Problem found while scanning volumes - volume '${missing.file}' does not exist`)
  const local = localDrives(datacenter, vm)
  const cd = local.find(({ drive }) => isCdrom(drive))
  if (cd !== undefined) {
    worker.log(`can't migrate local disk '${cd.volume.volid}': local cdrom image`)
    throw died("can't migrate VM - check log")
  }
  for (const to of storages.values()) {
    const storage = datacenter.state.storages[to]
    if (storage === undefined || !isOnHost(storage, target))
      throw died(`storage '${to}' is not available on node '${target}'`)
  }
  if (vm.running && local.length > 0 && !flag(call, 'with-local-disks')) {
    worker.log(`can't live migrate attached local disks without with-local-disks option`)
    throw died("can't migrate VM - check log")
  }
  vm.config.lock = 'migrate'
  const copies: Copy[] = []
  try {
    // The disks of a running VM are made on the target before anything is sent.
    for (const { drive, volume } of local) {
      const to = { host: target, storage: storages.get(volume.storage) ?? volume.storage }
      worker.log(`copying local disk image '${volume.volid}'`)
      copies.push({ drive, volume, copy: emptyCopy(datacenter, vm, volume, to) })
    }
    await worker.sleep(1000 + ((vm.running ? memoryOf(vm.config) : 0) / 1024 ** 3) * taskTime.migratePerGiB)
    for (const { volume } of local) await worker.sleep((volume.used / 1024 ** 2 / 100) * 1000)
  } catch (thrown) {
    // A killed worker cleans up nothing: the lock and the copies stay.
    if (worker.isKilled) throw thrown
    // Seen on Proxmox 9.2: a live migration that fails leaves its copies on the target.
    if (!vm.running) for (const { copy } of copies) dropVolume(datacenter, copy)
    delete vm.config.lock
    worker.log(`ERROR: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    throw died('migration aborted')
  }
  for (const { drive, volume, copy } of copies) {
    vm.config[drive.key] = printDrive({ ...drive, file: copy.volid })
    dropVolume(datacenter, volume)
  }
  delete vm.config.lock
  vm.host = target
  worker.log('migration finished successfully')
}

/** A disk on the source host, and its copy on the target. */
interface Copy {
  readonly drive: Drive
  readonly volume: VolumeState
  readonly copy: VolumeState
}

/** A disk that is not on this host: its VM was moved here without it. */
function isMissing(datacenter: Datacenter, vm: VmState, drive: Drive): boolean {
  return (
    !isCdrom(drive) && storageOf(drive.file) !== undefined && findVolume(datacenter, drive.file, vm.host) === undefined
  )
}

function refuseDevices(vm: VmState): void {
  const device = Object.keys(vm.config).find((key) => /^hostpci\d+$/.test(key))
  if (device !== undefined) throw died(`can't migrate VM which uses local devices: ${device}`)
}

function emptyCopy(
  datacenter: Datacenter,
  vm: VmState,
  volume: VolumeState,
  to: { host: string; storage: string },
): VolumeState {
  return allocateImage(datacenter, getStorage(datacenter, to.storage, to.host), {
    vmid: vm.vmid,
    host: to.host,
    format: volume.format,
    size: volume.size,
    used: volume.used,
    disk: volume.disk,
  })
}

export const migrateRoutes: Routes = {
  'GET /nodes/{node}/qemu/{vmid}/migrate': precondition,
}
