import type { BlockDevice } from './drives.js'

/** What Talos knows of a disk, by the names of its resource: also what a selector sees. */
export function diskFactsOf(device: BlockDevice) {
  const { path, size, serial, wwid, isCd, transport, links, disk } = device
  return {
    dev_path: path,
    size,
    pretty_size: prettySize(size),
    io_size: 512,
    sector_size: 512,
    readonly: isCd,
    cdrom: isCd,
    model: isCd ? 'QEMU DVD-ROM' : 'QEMU HARDDISK',
    serial,
    modalias: isCd ? 'scsi:t-0x05' : 'scsi:t-0x00',
    wwid,
    uuid: '',
    bus_path: '',
    sub_system: '/sys/class/block',
    transport,
    rotational: !isCd && disk?.isSsd === false,
    secondary_disks: [],
    symlinks: links,
    firmware_version: '',
  }
}

export function prettySize(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(0)} GB`
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e3).toFixed(0)} kB`
}
