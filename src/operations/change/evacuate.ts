import { UsageError } from '../../errors.js'
import type { Change } from '../../inventory/edit.js'
import type { Inventory } from '../../inventory/inventory.js'
import { findNearest } from '../../nearest.js'

/** The edit that evacuates these hosts, or brings machines back to them. Empty if the inventory already has it. */
export function evacuate(
  { settings: { placement } }: Inventory,
  hosts: readonly string[],
  { isReturn }: { readonly isReturn: boolean },
): Change[] {
  const before = placement.evacuate
  const after = isReturn ? before.filter((host) => !hosts.includes(host)) : [...new Set([...before, ...hosts])]
  if (after.length === before.length) return []
  return after.length === 0
    ? [{ path: 'placement.evacuate', remove: true }]
    : [{ path: 'placement.evacuate', value: after }]
}

/**
 * A host that Proxmox does not have cannot be evacuated; one in the inventory that no longer exists can be removed from
 * it.
 */
export function refuseUnknownHosts(asked: readonly string[], known: readonly string[]): void {
  const unknown = asked.find((host) => !known.includes(host))
  if (unknown === undefined) return
  const near = findNearest(unknown, known)
  throw new UsageError(`There is no Proxmox host ${unknown}.`, {
    where: 'ichor evacuate',
    fix: `${near === undefined ? '' : `Did you mean ${near}? `}Proxmox has ${known.join(', ')}.`,
  })
}
