import { discard, flag, integer, size, text } from './codec.js'
import { defineOptions } from './define-options.js'

const disk = defineOptions({
  /** `local-lvm:vm-100-disk-0`; `local-lvm:20` makes one of 20 GiB, `local-lvm:0` with `importFrom` a copy; `none` is an empty drive. */
  volume: { key: 'file', codec: text, isHead: true },
  importFrom: { key: 'import-from', codec: text },
  /** Bytes, as Proxmox reports it; writing it resizes nothing. */
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

/** Whether an option holds a disk or a drive. */
export function isDiskKey(key: string): boolean {
  return /^(?:(?:ide|sata|scsi|virtio|unused)\d+|efidisk0|tpmstate0)$/.test(key)
}
