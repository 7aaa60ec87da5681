import type { TalosMachine } from './talos-machine.js'

/** The machine without what makes it this one node: what all nodes of its role share, for the classic layout. Patches that name a node's own values do not fit it. */
export function roleMachine(machine: TalosMachine): TalosMachine {
  const { hostname: _, ...shared } = machine
  return { ...shared, name: machine.role, links: [] }
}
