import type { BlockDevice } from '../disks/drives.js'
import type { InstalledSystem } from '../disks/system-disk.js'

export interface SystemPartition {
  readonly number: number
  readonly label: string
  readonly size: number
  /** The filesystem that is found on it. */
  readonly name: string
  /** Whether Talos reports it as a volume. */
  readonly volume: boolean
}

const mib = 1024 ** 2

/** The partitions of Talos on its disk, as its image has them; EPHEMERAL takes the rest, or its limit. */
export function systemPartitions(
  { state, ephemeral }: InstalledSystem,
  { size }: BlockDevice,
  limit = Number.POSITIVE_INFINITY,
): SystemPartition[] {
  const rest = Math.max(0, Math.min(limit, size - 2048 * mib))
  const own = (number: number, label: string, bytes: number, name: string, volume: boolean): SystemPartition => {
    return { number, label, size: bytes, name, volume }
  }
  return [
    own(1, 'EFI', 100 * mib, 'vfat', false),
    own(2, 'BIOS', mib, '', false),
    own(3, 'BOOT', 1000 * mib, 'xfs', false),
    own(4, 'META', mib, 'talosmeta', true),
    ...(state === undefined ? [] : [own(5, 'STATE', 100 * mib, 'xfs', true)]),
    ...(ephemeral === undefined ? [] : [own(6, 'EPHEMERAL', rest, 'xfs', true)]),
  ]
}
