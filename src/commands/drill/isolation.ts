import { PlanRefused } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { World } from '../../world.js'

/**
 * A control plane with the keys and the objects of a living cluster must not meet it: its bridge has neither a port nor an
 * address in Proxmox's own configuration, on every host that it may stand on; or the inventory says that it is isolated.
 */
export async function refuseOpenBridge(inventory: Inventory, world: World, signal: AbortSignal): Promise<void> {
  const { drill } = inventory.settings
  if (drill.isolated || drill.bridge === undefined) return
  const { hosts } = await world.proxmox.cluster.resources(signal)
  const candidates = hosts.filter(({ name, online }) => online && (drill.host ?? name) === name)
  for (const { name: host } of candidates) {
    const bridge = (await world.proxmox.hosts.bridges(host, signal)).find(({ name }) => name === drill.bridge)
    if (bridge === undefined) throw refused(inventory, `Bridge ${drill.bridge} is not on host ${host}.`)
    if (bridge.ports.length > 0)
      throw refused(
        inventory,
        `Bridge ${drill.bridge} on ${host} is not isolated: it has the port ${bridge.ports.join(', ')}.`,
      )
    if (bridge.cidr !== undefined)
      throw refused(
        inventory,
        `Bridge ${drill.bridge} on ${host} is not isolated: the host has the address ${bridge.cidr} on it.`,
      )
  }
}

function refused({ where }: Inventory, problem: string): PlanRefused {
  return new PlanRefused(problem, {
    where: where('drill.bridge'),
    fix: 'Name a bridge without ports and without an address, and drill.host if not every host has it. If nothing is reachable from it all the same, set drill.isolated: true.',
  })
}
