import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { type Call, find, flag, must } from '../http/call.js'
import type { StorageState, VmState, VolumeState } from '../state.js'
import { allocateImage, formatOn } from '../storage/images.js'
import { contentOf, copyTimeOn, dropVolume, findVolume, getStorage, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { type Archive, type ArchivedDisk, deviceOf } from './archive.js'
import { isCdrom, isDriveKey, parseDrive } from './drive.js'
import { isNetKey } from './net.js'
import { refuseBridge } from './option-rights.js'
import { optionsOf } from './options.js'
import { enterPool } from './pool-entry.js'
import { tellHeader, tellProgress } from './restore-log.js'
import { restoredConfig } from './restored-config.js'

/** One restore in progress. */
export interface Restoring {
  readonly call: Call
  readonly vm: VmState
  readonly archive: Archive
  readonly source: VolumeState
  readonly worker: Worker
}

/** During the restore, the VM's config file holds only a little memory. */
export async function restoreData(restoring: Restoring): Promise<void> {
  const { call, vm, archive, worker } = restoring
  const { datacenter, host } = call
  const options = optionsOf(call)
  refuseForbiddenParts(call, { ...archive.config, ...options })
  if (flag(call, 'live-restore'))
    throw died('live-restore is only compatible with backup images from a Proxmox Backup Server')
  tellHeader(archive, restoring.source, getStorage(datacenter, restoring.source.storage, host), worker)
  const targets = archive.disks.map((disk) => ({ disk, storage: getTarget(call, disk.storage) }))
  freeReplaced(restoring)
  Object.assign(vm, { config: { memory: '128' }, pending: {}, pendingDelete: {}, snapshots: {} })
  const made = await writeDisks(restoring, targets)
  tellProgress(archive, worker)
  await finish(restoring, made, options)
}

interface Target {
  readonly disk: ArchivedDisk
  readonly storage: StorageState
}

async function writeDisks(restoring: Restoring, targets: readonly Target[]): Promise<Map<string, VolumeState>> {
  const { call, worker } = restoring
  const made = new Map<string, VolumeState>()
  try {
    for (const target of targets) made.set(target.disk.key, allocate(restoring, target))
    for (const { disk, storage } of targets)
      await worker.sleep(copyTimeOn(call.datacenter, storage, call.host, disk.used))
    return made
  } catch (error) {
    if (worker.isKilled) throw error
    for (const volume of made.values()) discard(call.datacenter, volume, worker)
    throw error
  }
}

function allocate({ call, vm, worker }: Restoring, { disk, storage }: Target): VolumeState {
  const { size, used, key } = disk
  const volume = allocateImage(call.datacenter, storage, {
    vmid: vm.vmid,
    host: call.host,
    format: formatOn(storage, disk.format),
    size,
    used,
    disk: structuredClone(disk.content),
  })
  worker.log(`new volume ID is '${volume.volid}'`)
  worker.log(`map '${deviceOf(key)}' to '${pathOf(storage, volume.volid)}' (write zeros = 0)`)
  return volume
}

async function finish(
  { call, vm, archive, worker }: Restoring,
  made: ReadonlyMap<string, VolumeState>,
  options: Record<string, string>,
): Promise<void> {
  const { datacenter } = call
  const pool = find(call, 'pool')
  vm.config = restoredConfig(datacenter, archive, { made, options, isUnique: flag(call, 'unique') })
  if (archive.firewall !== undefined) datacenter.state.firewall[`vm/${vm.vmid}`] = structuredClone(archive.firewall)
  worker.log('rescan volumes...')
  noteUnused(datacenter, vm)
  const pools = Object.values(datacenter.state.pools)
  if (pool === undefined || pools.some(({ poolid, vms }) => poolid === pool && vms.includes(vm.vmid))) return
  for (const other of pools) other.vms = other.vms.filter((member) => member !== vm.vmid)
  await enterPool(datacenter, vm, pool, worker)
}

/** The rights that the restored hardware needs, which no parameter names. */
function refuseForbiddenParts(call: Call, config: Readonly<Record<string, string>>): void {
  for (const [key, value] of Object.entries(config)) {
    if (isNetKey(key)) refuseBridge(call, value)
    const mapping = /^hostpci\d+$/.test(key) ? /mapping=([^,]+)/.exec(value)?.[1] : undefined
    if (mapping !== undefined) must(call, `/mapping/pci/${mapping}`, ['Mapping.Use'])
  }
}

function getTarget(call: Call, original: string): StorageState {
  const id = find(call, 'storage') ?? original
  const storage = getStorage(call.datacenter, id, call.host)
  if (!contentOf(storage).includes('images')) throw died(`Content type 'images' is not available on storage '${id}'`)
  must(call, `/storage/${id}`, ['Datastore.AllocateSpace'])
  return storage
}

/** An overwritten VM loses the restored disks; its others become unused. */
function freeReplaced({ call, vm, archive }: Restoring): void {
  const { datacenter } = call
  const restored = new Set(archive.disks.map(({ key }) => key))
  for (const key of Object.keys(vm.config)) {
    if (!isDriveKey(key) || !restored.has(key)) continue
    const drive = parseDrive(datacenter.pve, key, vm.config[key] ?? '')
    const volume = isCdrom(drive) ? undefined : findVolume(datacenter, drive.file, vm.host)
    if (volume?.vmid === vm.vmid) dropVolume(datacenter, volume)
  }
}

function discard(datacenter: Datacenter, volume: VolumeState, worker: Worker): void {
  dropVolume(datacenter, volume)
  worker.log(`temporary volume '${volume.volid}' successfully removed`)
}

/** Every image of the VM that its config does not name becomes an unused disk. */
function noteUnused({ state }: Datacenter, vm: VmState): void {
  const named = Object.values(vm.config)
  const strays = Object.values(state.volumes)
    .filter(({ vmid, content, host }) => vmid === vm.vmid && content === 'images' && ['', vm.host].includes(host))
    .filter(({ volid }) => !named.some((value) => value.split(',')[0] === volid))
  let n = 0
  for (const { volid } of strays) {
    while (vm.config[`unused${n}`] !== undefined) n++
    vm.config[`unused${n}`] = volid
  }
}
