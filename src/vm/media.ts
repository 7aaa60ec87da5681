import { writeDrive } from '../proxmox/model/options/disk.js'
import { diskVolume, isCdDrive } from './disk-option.js'
import { seedSlots } from './seed.js'

type Options = Readonly<Record<string, string>>

/** CD drives with a medium, and disks with a seed. */
export function loadedMedia(options: Options): string[] {
  const drives = Object.keys(options).filter(
    (slot) => /^(ide|sata|scsi)\d+$/.test(slot) && diskVolume(options[slot]) !== undefined && isCdDrive(options[slot]),
  )
  return [...drives, ...seedSlots(options)]
}

/** The change that removes them: drives are emptied, seed disks deleted. */
export function withoutMedia(options: Options): Record<string, string | undefined> {
  const seeds = new Set(seedSlots(options))
  return Object.fromEntries(loadedMedia(options).map((slot) => [slot, seeds.has(slot) ? undefined : writeDrive()]))
}
