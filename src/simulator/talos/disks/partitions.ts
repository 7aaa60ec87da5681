import type { VirtualDisk } from '../../core/guest.js'
import type { InstalledSystem } from './system-disk.js'

/** A partition besides those of Talos itself. */
export interface Partition {
  /** `u-data`; empty for those of `machine.disks`. */
  readonly label: string
  size: number
  readonly grows: boolean
}

/** A disk that has nothing but partitions of volumes. */
interface PartitionedDisk {
  readonly kind: 'partitions'
  readonly partitions: Partition[]
}

/** Both copies of the table, and the MBR. */
const tableSize = 67 * 512

/** Boot loader, META and STATE. */
const systemSize = 2 * 1024 ** 3

export function partitionsOf({ content }: VirtualDisk): readonly Partition[] {
  const guest = content.guest as PartitionedDisk | InstalledSystem | undefined
  return (guest?.kind === 'talos' ? guest.volumes : guest?.partitions) ?? []
}

/** Space for another partition; `undefined` on a disk with content of another format. */
export function freeSpaceOn(disk: VirtualDisk, ephemeral: number | undefined): number | undefined {
  const { guest, image, raw } = disk.content
  const taken = partitionsOf(disk).reduce((sum, { size }) => sum + size, tableSize)
  if (isTalos(disk)) return ephemeral === undefined ? 0 : Math.max(0, disk.size - systemSize - ephemeral - taken)
  if (image !== undefined || raw !== undefined) return undefined
  const isForeign = guest !== undefined && (guest as { kind?: string }).kind !== 'partitions'
  return isForeign ? undefined : Math.max(0, disk.size - taken)
}

/** Returns its number. */
export function addPartition(disk: VirtualDisk, partition: Partition): number {
  const { content } = disk
  if (isTalos(disk)) {
    const system = content.guest as InstalledSystem
    system.volumes = [...(system.volumes ?? []), partition]
    return system.volumes.length + 6
  }
  const known = content.guest as PartitionedDisk | undefined
  const partitions = [...(known?.partitions ?? []), partition]
  content.guest = { kind: 'partitions', partitions } satisfies PartitionedDisk
  return partitions.length
}

/** The number of a partition on its disk: on the system disk after those of Talos. */
export function partitionNumber(disk: VirtualDisk, index: number): number {
  return index + (isTalos(disk) ? 7 : 1)
}

/** At boot the last partition of a disk that was resized fills it, if it is to grow. */
export function growPartitions(disks: readonly VirtualDisk[]): void {
  for (const disk of disks.filter((one) => !isTalos(one))) {
    const last = partitionsOf(disk).at(-1)
    if (last?.grows === true) last.size += freeSpaceOn(disk, undefined) ?? 0
  }
}

function isTalos({ content }: VirtualDisk): boolean {
  return (content.guest as Partial<InstalledSystem> | undefined)?.kind === 'talos'
}
