import type { DiskContent } from '../../core/guest.js'
import { decodeMedium } from '../../core/medium.js'
import { died, taskText } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import type { VmState, VolumeState } from '../state.js'
import { allocateImage, formatOn, getImage } from '../storage/images.js'
import { copyTimeOn, findVolume, getStorage, pathOf } from '../storage/storages.js'
import type { Worker } from '../tasks.js'
import { allocateCloudInit, findCloudInitKey } from './cloud-init.js'
import { type Drive, newVolumeOf, printDrive, printSize, storageOf } from './drive.js'

/** The target of a new drive, and the caller. */
export interface Filling {
  readonly datacenter: Datacenter
  readonly vm: VmState
  readonly worker: Worker
  /** Volumes created so far: a failed create deletes them. */
  readonly made: VolumeState[]
  /** Options that the same call handled before, while they are not the VM's yet. */
  readonly others?: Readonly<Record<string, string>>
}

/** Creates or finds the volume of a drive and returns the drive as it is stored. */
export async function fillDrive(filling: Filling, drive: Drive): Promise<Drive> {
  const { datacenter, vm } = filling
  if (/^(none|cdrom)$/.test(drive.file)) return { ...drive, options: { ...drive.options, media: 'cdrom' } }
  if (drive.file.endsWith(':cloudinit')) return fillCloudInit(filling, drive)
  const fresh = newVolumeOf(drive)
  if (fresh === undefined) return attach(datacenter, vm, drive)
  const source = drive.options['import-from']
  if (source !== undefined) return importDrive(filling, drive, fresh.storage, source)
  return createDrive(filling, drive, fresh)
}

function attach(datacenter: Datacenter, vm: VmState, drive: Drive): Drive {
  const storage = storageOf(drive.file)
  if (storage === undefined) return drive
  getStorage(datacenter, storage, vm.host)
  const volume = findVolume(datacenter, drive.file, vm.host)
  if (volume === undefined) throw died(`volume '${drive.file}' does not exist`)
  return { ...drive, options: { ...drive.options, size: printSize(volume.size) } }
}

const firmwareSize: Record<string, number> = { '4m': 528 * 1024, '2m': 128 * 1024 }

function sizeOf(drive: Drive, gib: number): number {
  if (drive.key === 'efidisk0') return firmwareSize[drive.options.efitype ?? '2m'] ?? 0
  if (drive.key === 'tpmstate0') return 4 * 1024 ** 2
  return Math.ceil(gib * 1024 ** 2) * 1024
}

async function createDrive(
  { datacenter, vm, worker, made }: Filling,
  drive: Drive,
  fresh: { storage: string; gib: number },
): Promise<Drive> {
  const storage = getStorage(datacenter, fresh.storage, vm.host)
  const format = formatOn(storage, drive.key === 'tpmstate0' ? 'raw' : drive.options.format)
  const size = sizeOf(drive, fresh.gib)
  const volume = allocateImage(datacenter, storage, { vmid: vm.vmid, host: vm.host, format, size })
  made.push(volume)
  logAllocation(worker, storage.type, pathOf(storage, volume.volid), format, size)
  if (size > 2 ** 53) throw tooLarge(datacenter, made, volume, pathOf(storage, volume.volid))
  await worker.sleep(200)
  const stored = storedDrive(drive, volume)
  worker.log(`${drive.key}: successfully created disk '${printDrive(stored)}'`)
  return stored
}

function tooLarge(datacenter: Datacenter, made: VolumeState[], volume: VolumeState, path: string): Error {
  made.splice(made.indexOf(volume), 1)
  delete datacenter.state.volumes[`${volume.host}|${volume.volid}`]
  return died(`unable to create image: qemu-img: ${path}: The image size is too large for file format 'raw'`)
}

function storedDrive(drive: Drive, volume: VolumeState): Drive {
  const { format: _format, 'import-from': _source, ...options } = drive.options
  return { key: drive.key, file: volume.volid, options: { ...options, size: printSize(volume.size) } }
}

export function logAllocation(worker: Worker, type: string, path: string, format: string, size: number): void {
  const line = allocationLine(type, path, format, size)
  if (line !== undefined) worker.log(line)
}

function allocationLine(type: string, path: string, format: string, size: number): string | undefined {
  if (type === 'lvmthin' || type === 'lvm') return `  Logical volume "${path.split('/').at(-1) ?? ''}" created.`
  if (type === 'zfspool' || type === 'rbd') return undefined
  const details =
    format === 'qcow2'
      ? `cluster_size=65536 extended_l2=off preallocation=metadata compression_type=zlib size=${BigInt(size)} lazy_refcounts=off refcount_bits=16`
      : `size=${BigInt(size)} preallocation=off`
  return `Formatting '${path}', fmt=${format} ${details}`
}

/** The content of an uploaded or downloaded image, or nothing if the lab could not boot it. */
function contentOf(volume: VolumeState): { disk: DiskContent; size: number; used: number } {
  if (volume.content === 'images') return { disk: structuredClone(volume.disk), size: volume.size, used: volume.used }
  const image = volume.bytes === undefined ? undefined : decodeMedium(volume.bytes)
  if (image !== undefined) return { disk: { image }, size: image.virtualSize, used: image.nominalSize }
  const size = virtualSizeOf(volume)
  const isSmall = volume.bytes !== undefined && volume.bytes.byteLength <= largestRaw
  return { disk: isSmall ? { raw: Buffer.from(volume.bytes ?? []).toString('base64') } : {}, size, used: volume.size }
}

/** Size limit of imported files that a guest can read; larger ones are never read. */
const largestRaw = 4 * 1024 ** 2

/** qcow2 files have their virtual size in the header; other files have their own size. */
function virtualSizeOf({ bytes, size }: VolumeState): number {
  if (bytes === undefined || bytes.length < 32) return size
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.readUInt32BE(0) === 0x514649fb ? Number(view.readBigUInt64BE(24)) : size
}

async function importDrive(
  { datacenter, vm, worker, made }: Filling,
  drive: Drive,
  target: string,
  source: string,
): Promise<Drive> {
  const from = getStorage(datacenter, storageOf(source) ?? '', vm.host)
  const original = getImage(datacenter, from, source, vm.host)
  const storage = getStorage(datacenter, target, vm.host)
  const { disk, size, used } = contentOf(original)
  const format = formatOn(storage, drive.options.format ?? (original.format === 'iso' ? 'raw' : original.format))
  worker.log(`create full clone of drive (${source})`)
  const volume = allocateImage(datacenter, storage, { vmid: vm.vmid, host: vm.host, format, size, used, disk })
  made.push(volume)
  logAllocation(worker, storage.type, pathOf(storage, volume.volid), format, size)
  if (datacenter.pve === 9) worker.log(`allocated target volume '${volume.volid}'`)
  await copyWithProgress(worker, size, copyTimeOn(datacenter, storage, vm.host, used)).catch((error: unknown) => {
    if (worker.isKilled) throw error
    const paths = `${pathOf(from, source)} ${pathOf(storage, volume.volid)}`
    throw died(
      `cannot import from '${source}' - copy failed: command '/usr/bin/qemu-img convert -p -n -f ${original.format} -O ${format} ${paths}' failed: ${taskText(error)}`,
    )
  })
  const stored = storedDrive(drive, volume)
  worker.log(`${drive.key}: successfully created disk '${printDrive(stored)}'`)
  return stored
}

const pauses = 4
const longCopyMs = 4000

/** The copy takes time and reports progress: a long one at every percent. */
export async function copyWithProgress(worker: Worker, size: number, modelMs: number): Promise<void> {
  const lines = modelMs < longCopyMs ? 1 : 100 / pauses
  worker.log(progressLine(0, size))
  for (let pause = 0; pause < pauses; pause++) {
    await worker.sleep(modelMs / pauses)
    for (let line = 1; line <= lines; line++) worker.log(progressLine((size * (pause + line / lines)) / pauses, size))
  }
}

function progressLine(done: number, size: number): string {
  return `transferred ${printBytes(done)} of ${printBytes(size)} (${((done / Math.max(1, size)) * 100).toFixed(2)}%)`
}

function printBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value.toFixed(1)} ${units[unit] ?? ''}`
}

function fillCloudInit({ datacenter, vm, worker, made, others }: Filling, drive: Drive): Drive {
  const taken = findCloudInitKey(datacenter, { ...vm.pending, ...vm.config, ...others }, drive.key)
  if (taken !== undefined) throw died(`${drive.key} - cloud-init drive is already attached at '${taken}'`)
  const storage = getStorage(datacenter, storageOf(drive.file) ?? '', vm.host)
  const volume = allocateCloudInit(datacenter, storage, vm, drive.options.format)
  made.push(volume)
  const { format: _format, ...options } = drive.options
  const stored = { key: drive.key, file: volume.volid, options: { ...options, media: 'cdrom' } }
  worker.log(`${drive.key}: successfully created disk '${printDrive(stored)}'`)
  return stored
}
