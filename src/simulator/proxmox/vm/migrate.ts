import { isRoot, nameOf } from '../access/permissions.js'
import { badParameters, died } from '../api-error.js'
import { type Datacentre, getVm, refuseWithoutQuorum } from '../datacentre.js'
import { taskTime } from '../durations.js'
import { vmLockFile } from '../flock.js'
import { type Call, find, flag, must, type Routes, text, vmidOf } from '../http/call.js'
import { splitList } from '../schema/formats.js'
import type { VmState, VolumeState } from '../state.js'
import { allocateImage } from '../storage/images.js'
import { dropVolume, findVolume, getStorage, isOnHost, isShared } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { memoryOf } from './config.js'
import { type Drive, isCdrom, isDriveKey, parseDrive, printDrive, storageOf } from './drive.js'
import { boundTo } from './ha-placement.js'
import { haStateOf } from './ha-services.js'
import { refuseIfLocked } from './start.js'

function drivesOf({ pve }: Datacentre, vm: VmState): Drive[] {
  return Object.keys(vm.config)
    .filter(isDriveKey)
    .map((key) => parseDrive(pve, key, vm.config[key] ?? ''))
}

function localDrives(datacentre: Datacentre, vm: VmState): { drive: Drive; volume: VolumeState }[] {
  return drivesOf(datacentre, vm).flatMap((drive) => {
    const storage = datacentre.state.storages[storageOf(drive.file) ?? '']
    const volume = findVolume(datacentre, drive.file, vm.host)
    return storage === undefined || volume === undefined || isShared(storage) ? [] : [{ drive, volume }]
  })
}

function precondition(call: Call): unknown {
  const { datacentre, host } = call
  const vm = getVm(datacentre, host, vmidOf(call))
  refuseIfLocked(vm)
  const others = Object.values(datacentre.state.hosts).filter(({ name, online }) => name !== host && online)
  const problems = new Map(others.map(({ name }) => [name, whyNotOn(datacentre, vm, name)]))
  const local = localDrives(datacentre, vm)
  const mapped = Object.keys(vm.config).filter(
    (key) => /^hostpci\d+$/.test(key) && vm.config[key]?.includes('mapping='),
  )
  return {
    running: vm.running ? 1 : 0,
    allowed_nodes: [...problems].filter(([, why]) => why === undefined).map(([name]) => name),
    not_allowed_nodes: Object.fromEntries([...problems].filter(([, why]) => why !== undefined)),
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
    })),
    local_resources: Object.keys(vm.config).filter((key) => /^(hostpci|usb)\d+$/.test(key)),
    'mapped-resources': mapped,
    'mapped-resource-info': {},
  }
}

/** What another host lacks, and on Proxmox 9 the HA resources there that it must be apart from. */
function whyNotOn(datacentre: Datacentre, vm: VmState, host: string): Record<string, unknown> | undefined {
  const storages = storagesMissingOn(datacentre, vm, host)
  const { services } = haStateOf(datacentre)
  const apart = boundTo(datacentre, `vm:${vm.vmid}`, 'negative').filter((sid) => services[sid]?.node === host)
  if (storages.length + apart.length === 0) return undefined
  return {
    ...(storages.length === 0 ? {} : { unavailable_storages: storages }),
    ...(apart.length === 0
      ? {}
      : { 'blocking-ha-resources': apart.map((sid) => ({ sid, cause: 'resource-affinity' })) }),
  }
}

/** Storages of its drives that another host does not have. */
function storagesMissingOn(datacentre: Datacentre, vm: VmState, host: string): string[] {
  const ids = drivesOf(datacentre, vm).flatMap(({ file }) => storageOf(file) ?? [])
  return [...new Set(ids)].filter((id) => {
    const storage = datacentre.state.storages[id]
    return storage !== undefined && !isOnHost(storage, host)
  })
}

/** Moves a VM to another host; the checks come before the task. */
export function migrateVm(call: Call): string {
  const { datacentre, host, identity } = call
  refuseWithoutQuorum(datacentre)
  const target = text(call, 'target')
  if (target === host) throw badParameters({ target: 'target is local node.' })
  if (datacentre.state.hosts[target] === undefined) throw died(`no such cluster node '${target}'`)
  if (flag(call, 'force') && !isRoot(identity)) throw badParameters({ force: 'Only root may use this option.' })
  const vm = getVm(datacentre, host, vmidOf(call))
  refuseIfLocked(vm)
  if (vm.running && !flag(call, 'online')) throw died("can't migrate running VM without --online")
  const storages = targetStorages(call, vm)
  for (const storage of new Set(storages.values()))
    if (find(call, 'targetstorage') !== undefined) must(call, `/storage/${storage}`, ['Datastore.AllocateSpace'])
  return datacentre.tasks.start({ host, type: 'qmigrate', id: String(vm.vmid), user: nameOf(identity) }, (worker) =>
    datacentre.locks.hold(vmLockFile(vm.vmid), 10_000, () => moveVm(call, vm, target, storages, worker)),
  )
}

/** The target of each storage's volumes: by name, all to one, or pair by pair. */
function targetStorages(call: Call, vm: VmState): Map<string, string> {
  const wanted = find(call, 'targetstorage')
  const pairs = new Map(splitList(wanted ?? '').map((pair) => pair.split(':').slice(0, 2) as [string, string]))
  const single = splitList(wanted ?? '').find((entry) => entry !== '1' && !entry.includes(':'))
  return new Map(
    drivesOf(call.datacentre, vm).flatMap(({ file }) => {
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
  const { datacentre } = call
  worker.log(
    `starting migration of VM ${vm.vmid} to node '${target}' (${datacentre.state.hosts[target]?.address ?? ''})`,
  )
  refuseDevices(vm)
  const missing = drivesOf(datacentre, vm).find((drive) => isMissing(datacentre, vm, drive))
  if (missing !== undefined)
    throw died(`Problem found while scanning volumes - volume '${missing.file}' does not exist`)
  const local = localDrives(datacentre, vm)
  const cd = local.find(({ drive }) => isCdrom(drive))
  if (cd !== undefined) {
    worker.log(`can't migrate local disk '${cd.volume.volid}': local cdrom image`)
    throw died("can't migrate VM - check log")
  }
  for (const to of storages.values()) {
    const storage = datacentre.state.storages[to]
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
    await worker.sleep(1000 + ((vm.running ? memoryOf(vm.config) : 0) / 1024 ** 3) * taskTime.migratePerGiB)
    for (const { drive, volume } of local) {
      const to = { host: target, storage: storages.get(volume.storage) ?? volume.storage }
      copies.push({ drive, volume, copy: await copyDisk(datacentre, vm, volume, to, worker) })
    }
  } catch (thrown) {
    // A killed worker cleans up nothing: the lock and the copies stay.
    if (worker.isKilled) throw thrown
    for (const { copy } of copies) dropVolume(datacentre, copy)
    delete vm.config.lock
    worker.log(`ERROR: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    throw died('migration aborted')
  }
  for (const { drive, volume, copy } of copies) {
    vm.config[drive.key] = printDrive({ ...drive, file: copy.volid })
    dropVolume(datacentre, volume)
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
function isMissing(datacentre: Datacentre, vm: VmState, drive: Drive): boolean {
  return (
    !isCdrom(drive) && storageOf(drive.file) !== undefined && findVolume(datacentre, drive.file, vm.host) === undefined
  )
}

function refuseDevices(vm: VmState): void {
  const device = Object.keys(vm.config).find((key) => /^hostpci\d+$/.test(key))
  if (device !== undefined) throw died(`can't migrate VM which uses local devices: ${device}`)
}

async function copyDisk(
  datacentre: Datacentre,
  vm: VmState,
  volume: VolumeState,
  to: { host: string; storage: string },
  worker: Worker,
): Promise<VolumeState> {
  const storage = getStorage(datacentre, to.storage, to.host)
  worker.log(`copying local disk image '${volume.volid}'`)
  await worker.sleep((volume.used / 1024 ** 2 / 100) * 1000)
  return allocateImage(datacentre, storage, {
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
