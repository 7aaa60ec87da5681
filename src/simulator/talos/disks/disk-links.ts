import type { Hardware, VirtualDisk } from '../../core/guest.js'

/** The links of udev to a disk, sorted as Talos reports them. Disks on virtio have no link by ID without a serial. */
export function linksOf(disk: VirtualDisk, position: number, { machineType }: Hardware): string[] {
  const ids = disk.slot.startsWith('scsi') ? scsiIds(disk, machineType) : otherIds(disk)
  return [`/dev/disk/by-diskseq/${position + 1}`, ...ids.map((id) => `/dev/disk/by-id/${id}`)].toSorted()
}

/**
 * QEMU's ID of a SCSI disk is its serial, or the name of its drive without one. Since machine version 10.0 Proxmox sets
 * it to the name of the drive, and the serial is in no link. With a WWN, that is the ID.
 */
function scsiIds({ slot, serial, wwn }: VirtualDisk, machineType: string): string[] {
  if (wwn !== undefined) return [`scsi-3${wwn.slice(2).toLowerCase()}`, `wwn-${wwn.toLowerCase()}`]
  const drive = `drive-${slot}`
  const id = serial === undefined || isSince(machineType, 10) ? drive : serial.slice(0, 20)
  return [`scsi-0QEMU_QEMU_HARDDISK_${id}`]
}

function otherIds({ slot, serial, wwn }: VirtualDisk): string[] {
  if (slot.startsWith('virtio')) return serial === undefined ? [] : [`virtio-${serial.slice(0, 20)}`]
  const index = Number(/\d+$/.exec(slot)?.[0] ?? 0)
  const id = `ata-QEMU_HARDDISK_${serial ?? `QM${String(2 * index + 1).padStart(5, '0')}`}`
  return wwn === undefined ? [id] : [id, `wwn-${wwn.toLowerCase()}`]
}

function isSince(machineType: string, major: number): boolean {
  return Number(/-(\d+)\.\d+/.exec(machineType)?.[1] ?? 0) >= major
}
