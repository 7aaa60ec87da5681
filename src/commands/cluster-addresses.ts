import { endpointOf } from '../desired/endpoint.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'

/**
 * Where clients reach a cluster; the endpoint is `undefined` until DHCP has assigned the first control plane's address.
 */
export interface ClusterAddresses {
  readonly endpoint: string | undefined
  readonly controlPlanes: readonly string[]
}

/** From the inventory alone if it has all addresses; otherwise they must be observed. */
export async function clusterAddresses(inventory: Inventory, look: () => Promise<Observed>): Promise<ClusterAddresses> {
  const wanted = inventory.machines.filter(({ role }) => role === 'controlplane')
  const known = wanted.flatMap(({ address }) => address ?? [])
  const endpoint = endpointOf(inventory)
  if (endpoint !== undefined && known.length === wanted.length) return { endpoint, controlPlanes: known }
  const observed = await look()
  const controlPlanes = wanted.flatMap(
    ({ name, address }) => address ?? observed.machines.find((machine) => machine.name === name)?.address ?? [],
  )
  return { endpoint: endpointOf(inventory, observed), controlPlanes }
}
