import type { TalosMachine } from './talos-machine.js'

/**
 * What all nodes of a role share: the machine without its own identity. Patches that use a node's own values do not
 * apply to it.
 */
export function roleMachine(machine: TalosMachine): TalosMachine {
  const { hostname: _, ...shared } = machine
  return { ...shared, name: machine.role, links: [] }
}
