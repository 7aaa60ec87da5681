import { writeDrive } from '../proxmox/model/options/disk.js'
import { diskVolume, isCdDrive } from './disk-option.js'
import { seedSlots } from './seed.js'

type Options = Readonly<Record<string, string>>

/** CD drives that hold something, and disks that hold a seed. */
export function loadedMedia(options: Options): string[] {
  const drives = Object.keys(options).filter(
    (slot) => /^(ide|sata|scsi)\d+$/.test(slot) && diskVolume(options[slot]) !== undefined && isCdDrive(options[slot]),
  )
  return [...drives, ...seedSlots(options)]
}

/** What takes them out: drives are set empty, seed disks deleted. */
export function withoutMedia(options: Options): Record<string, string | undefined> {
  const seeds = new Set(seedSlots(options))
  return Object.fromEntries(loadedMedia(options).map((slot) => [slot, seeds.has(slot) ? undefined : writeDrive()]))
}
