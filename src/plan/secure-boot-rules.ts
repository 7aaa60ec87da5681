import type { Desired, DesiredMachine } from '../desired/desired.js'
import { unsecuredImage } from '../findings/refusals/inventory.js'
import type { Observed } from '../observe/observed.js'
import { diskVolume } from '../vm/disk-option.js'
import { findSeen } from '../work/wanted-machine.js'
import { replacementOf } from './machine/rebuild.js'

function isToBeMade(wanted: DesiredMachine, desired: Desired, observed: Observed): boolean {
  const seen = findSeen(observed, wanted.machine.name)
  if (seen === undefined || diskVolume(seen.options.scsi0) === undefined) return true
  return replacementOf(desired, wanted, seen) !== undefined
}

/** Such a machine would boot without Secure Boot, and nothing would say so. Existing ones are findings. */
export function refuseUnsecuredImages(desired: Desired, observed: Observed): void {
  if (desired.cluster.imageLacksKeys !== true) return
  const names = desired.machines
    .filter((wanted) => isToBeMade(wanted, desired, observed))
    .map(({ machine }) => machine.name)
  if (names.length === 0) return
  throw unsecuredImage.refuse(
    `${names.join(', ')} would boot without Secure Boot: before Talos 1.14 an image does not enrol the keys.`,
    {
      subject: { kind: 'machine', name: names.join(', ') },
      where: 'talos.secure_boot and talos.boot in the inventory',
      fix: 'Set talos.boot: iso, which enrols them at its first boot.',
    },
  )
}
