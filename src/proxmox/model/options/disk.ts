import { discard, flag, integer, size, text } from './codec.js'
import { defineOptions } from './define-options.js'

const disk = defineOptions({
  /**
   * `local-lvm:vm-100-disk-0`; `local-lvm:20` creates one of 20 GiB, `local-lvm:0` with `importFrom` a copy; `none` is
   * an empty drive.
   */
  volume: { key: 'file', codec: text, isHead: true },
  importFrom: { key: 'import-from', codec: text },
  /** Bytes, as Proxmox reports it; writing it does not resize. */
  size: { key: 'size', codec: size },
  format: { key: 'format', codec: text },
  /** `cdrom`. */
  media: { key: 'media', codec: text },
  cache: { key: 'cache', codec: text },
  discard: { key: 'discard', codec: discard },
  ioThread: { key: 'iothread', codec: flag },
  ssd: { key: 'ssd', codec: flag },
  backup: { key: 'backup', codec: flag },
  replicate: { key: 'replicate', codec: flag },
  aio: { key: 'aio', codec: text },
  serial: { key: 'serial', codec: text },
  queues: { key: 'queues', codec: integer },
  efiType: { key: 'efitype', codec: text },
  preEnrolledKeys: { key: 'pre-enrolled-keys', codec: flag },
  tpmVersion: { key: 'version', codec: text },
})

/** `scsi0`, `ide2`, `efidisk0`, `tpmstate0`, `unused0`. */
export const parseDisk = disk.parse
export const writeDisk = disk.write
export type Disk = ReturnType<typeof disk.parse>

/** A CD drive with this volume; empty without one. */
export function writeDrive(volume = 'none'): string {
  return writeDisk({ volume, media: 'cdrom' })
}

/** A new disk filled from an image; it has the image's size until it is grown. */
export function importedDisk(datastore: string, importFrom: string, more: Disk): string {
  return writeDisk({ volume: `${datastore}:0`, importFrom, ...more })
}

/** The OVMF settings, on a new volume without enrolled keys, so that Talos boots. */
export function newEfiDisk(datastore: string): string {
  return writeDisk({ volume: `${datastore}:0`, efiType: '4m', preEnrolledKeys: false })
}

/** The state of a TPM 2.0, on a new volume. */
export function newTpmState(datastore: string): string {
  return writeDisk({ volume: `${datastore}:0`, tpmVersion: 'v2.0' })
}
