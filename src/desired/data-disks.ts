import type { Machine } from '../cluster/machine.js'
import type { UserVolume } from '../talos/config/talos-machine.js'

/** The serial of the Nth disk: it shows in Proxmox which disk is which. */
export function diskSerial(index: number): string {
  return `ichor-scsi${index}`
}

/** What QEMU names its SCSI disks in `/dev/disk/by-id`, before their own ID. */
const links = '/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK'

/** The system disk has no serial, so its link is the same with every machine version. */
export const systemDiskLink = `${links}_drive-scsi0`

/** The volumes of a machine, each with what finds its disk. */
export function volumesOf({ disks }: Machine): UserVolume[] {
  return disks.flatMap(({ volume, size }, index) =>
    volume === undefined
      ? []
      : [
          {
            name: volume,
            diskMatch: matchOf(index + 1),
            devicePath: `${links}_${diskSerial(index + 1)}`,
            minSize: Math.floor(size * 0.9),
          },
        ],
  )
}

/**
 * Talos reports no serial of a SCSI disk, and the link of udev ends with the serial before machine version 10.0 and with
 * the name of the drive since. Disks are never matched by the order in which they appear.
 */
function matchOf(index: number): string {
  const serial = diskSerial(index)
  return `disk.serial == "${serial}" || disk.symlinks.exists(s, s.endsWith("_${serial}") || s.endsWith("_drive-scsi${index}"))`
}
