import type { DesiredMachine } from '../desired/desired.js'
import { lacksIdentity, type Mark } from '../ownership/mark.js'
import { parseBoot } from '../proxmox/model/options/boot.js'
import { diskVolume } from './disk-option.js'

type Options = Readonly<Record<string, string>>

/** Complete: it has its identity, every disk has a volume, and the boot order names the system disk. */
export function isFilled(wanted: DesiredMachine, options: Options, mark: Mark): boolean {
  if (lacksIdentity(mark)) return false
  const kept = mark.stage === 'making' ? [] : (wanted.machine.adopted?.keep ?? [])
  const boots = kept.includes('boot') || parseBoot(options.boot ?? '').includes('scsi0')
  return boots && missingSlots(wanted, options).every((slot) => kept.includes(slot))
}

/** Drives of the machine that have no volume. */
export function missingSlots(wanted: DesiredMachine, options: Options): string[] {
  const slots = [
    ...wanted.disks.map(({ slot }) => slot),
    ...(wanted.efi ? ['efidisk0'] : []),
    ...(wanted.tpm ? ['tpmstate0'] : []),
  ]
  return slots.filter((slot) => diskVolume(options[slot]) === undefined)
}
