import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import { findNearest } from '../../nearest.js'

/** A machine, or all machines of a group: `workers`, `control_planes`, or a worker pool. */
export function machinesNamed(name: string, { machines, file }: Inventory): string[] {
  const groupOf = (pool: string) => (pool === 'controlplane' ? 'control_planes' : pool)
  const found = machines.filter((machine) => machine.name === name || groupOf(machine.pool) === name)
  if (found.length > 0) return found.map((machine) => machine.name)
  const known = [...new Set(machines.flatMap((machine) => [machine.name, groupOf(machine.pool)]))]
  const near = findNearest(name, known)
  throw new UsageError(`There is no machine and no group ${name} in the inventory.`, {
    where: file,
    fix: near === undefined ? `Name one of ${known.join(', ')}.` : `Did you mean ${near}?`,
  })
}
