import { assetOf, otherSlot } from '../disks/system-disk.js'
import type { TalosMachine } from './machine.js'

/** Writes an installer's system to the inactive slot, and makes it the next to boot. */
export function installImage(machine: TalosMachine, reference: string): void {
  const { system, fleet } = machine
  const medium = fleet.findInstaller(reference)
  if (system === undefined || medium === undefined)
    throw new Error(`The image ${reference} is in no registry of this lab.`)
  const slot = otherSlot(system.running ?? system.boot)
  const isBroken = fleet.brokenImages.has(reference)
  system.slots[slot] = isBroken ? { ...assetOf(medium), isBroken } : assetOf(medium)
  system.boot = slot
  machine.record('machine.installed', { slot, talos: medium.talos, schematic: medium.schematic }, true)
}
