import { assertEvacuable } from '../../capabilities/evacuation/evacuation.js'
import { proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { World } from '../../world.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import { asOpened } from './as-opened.js'
import { evacuate, refuseUnknownHosts } from './evacuate.js'
import type { WantedChange } from './wanted-change.js'

interface Options extends SpecOptions {
  readonly world: World
  readonly signal: AbortSignal
  readonly isReturn: boolean
}

/** The spec in which machines leave these hosts or return, and the function that writes it to the inventory. */
export async function evacuatedSpec(
  hosts: readonly string[],
  inventory: Inventory,
  { world, signal, isReturn, ...options }: Options,
): Promise<WantedChange> {
  const { hosts: known } = await world.proxmox.cluster.resources(signal)
  const names = [...known.map(({ name }) => name), ...(isReturn ? inventory.settings.placement.evacuate : [])]
  refuseUnknownHosts(hosts, names)
  const proposed = await proposeChanges(inventory, evacuate(inventory, hosts, { isReturn }), options)
  return {
    spec: await loadSpec(asOpened(proposed.inventory, inventory), { ...options, world }),
    write: () => writeEdits(proposed.edits),
    // Before it is written: an impossible change must not block the next `up`.
    check: async (facts) => {
      const silent = { attempt: 1, note: () => undefined, waiting: () => undefined, assertLease: () => undefined }
      const context = { ...world, ...facts, ...silent, signal }
      const leaving = facts.desired.machines.flatMap(({ host, moveTo }) => (moveTo === undefined ? [] : [host]))
      for (const host of new Set(leaving)) await assertEvacuable(host, context)
    },
  }
}
