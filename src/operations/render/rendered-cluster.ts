import type { VmRef } from '../../cluster/machine.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { endpointOf } from '../../desired/endpoint.js'
import { talosMachine } from '../../desired/talos-machine.js'
import { UsageError } from '../../errors.js'
import { type Inventory, needsNetwork, withNetwork } from '../../inventory/inventory.js'
import type { Observed } from '../../observe/observed.js'
import { allocateVmids, factsOf, place } from '../../placement/index.js'
import type { SecretsFile } from '../../secrets/bundle.js'
import { renderConfig } from '../../talos/config/render.js'
import type { World } from '../../world.js'

/** A cluster as it would be created: the hosts of its machines, and their configs. */
export interface RenderedCluster {
  readonly endpoint: string
  readonly places: ReadonlyMap<string, VmRef>
  readonly configs: ReadonlyMap<string, string>
  readonly addresses: ReadonlyMap<string, string>
  /** The observed state, if there was an observation. */
  readonly observed?: Observed
}

/** If only the bridge knows the network, a config still needs a prefix length: this one, with a note. */
const assumedPrefix = 24

/** From the inventory and the secrets alone: the same input gives the same bytes. */
export function renderFromInventory(
  given: ClusterSpec & { readonly secrets: SecretsFile },
  note: (text: string) => void,
): RenderedCluster {
  const isAssumed = needsNetwork(given.inventory)
  if (isAssumed) {
    note(
      `network.cidr is not set, and the network of the bridge is not known: the configs are written with /${assumedPrefix} and without a gateway. Set network.cidr, or use --live.`,
    )
  }
  const spec = isAssumed ? { ...given, inventory: withNetwork(given.inventory, { prefix: assumedPrefix }) } : given
  const { inventory } = spec
  const endpoint = endpointOf(inventory)
  if (endpoint === undefined) throw onlyProxmoxKnows('the address of the first control plane', 'network', inventory)
  if (inventory.settings.proxmox.target_nodes.length === 0) throw onlyProxmoxKnows('its hosts', 'proxmox', inventory)
  const machines = inventory.machines.filter(({ adopted }) => adopted?.unread !== true)
  const unread = inventory.machines.filter((machine) => !machines.includes(machine)).map(({ name }) => name)
  if (unread.length > 0)
    note(`${unread.join(', ')}: the config was not read when the cluster was adopted, so that none can be written.`)
  return {
    endpoint,
    places: placesFromInventory(inventory),
    configs: new Map(
      machines.map((machine) => [
        machine.name,
        renderConfig(talosMachine(machine, endpoint, spec), spec.secrets.bundle),
      ]),
    ),
    addresses: new Map(machines.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address]]))),
  }
}

/** The hosts of machines, if the inventory alone decides. */
export function placesFromInventory(inventory: Inventory): Map<string, VmRef> {
  const facts = factsOf(inventory)
  const { hostOf } = place(inventory, facts)
  const vmids = allocateVmids(inventory, facts)
  return new Map(
    inventory.machines.map(({ name }) => [name, { host: hostOf.get(name) ?? '', vmid: vmids.get(name) ?? 0 }]),
  )
}

/** The current hosts of machines, and the planned ones of missing machines. */
export async function placesFromWorld(spec: Omit<ClusterSpec, 'secrets'>, world: World, signal: AbortSignal) {
  const { resolve } = await import('../reconcile.js')
  const { up } = await import('../goals.js')
  const { desired, observed } = await resolve({ spec, world, goal: up, signal })
  const seen = new Map(observed.machines.map(({ name, address }) => [name, address]))
  const addresses = desired.machines.flatMap(({ machine, address }): [string, string][] => {
    const known = address ?? seen.get(machine.name)
    return known === undefined ? [] : [[machine.name, known]]
  })
  return {
    desired,
    observed,
    endpoint: desired.cluster.endpoint,
    places: new Map(desired.machines.map(({ machine, host, vmid }): [string, VmRef] => [machine.name, { host, vmid }])),
    addresses: new Map(addresses),
  }
}

/** With what Proxmox and the nodes report: existing machines stay on their hosts. */
export async function renderFromWorld(
  spec: Omit<ClusterSpec, 'secrets'>,
  world: World,
  signal: AbortSignal,
): Promise<RenderedCluster> {
  const { desired, observed, endpoint, places, addresses } = await placesFromWorld(spec, world, signal)
  if (endpoint === undefined) {
    throw new UsageError(
      'The endpoint is not known yet: DHCP has not reported the address of the first control plane.',
      {
        where: spec.inventory.where('network'),
        fix: 'Run ichor up first, or set network.vip or endpoint_override.',
      },
    )
  }
  return {
    endpoint,
    places,
    configs: new Map(
      desired.machines.flatMap(({ machine, talos }) => (talos === undefined ? [] : [[machine.name, talos.config]])),
    ),
    addresses,
    observed,
  }
}

function onlyProxmoxKnows(what: string, path: string, { where }: Inventory): UsageError {
  return new UsageError(`The inventory does not set ${what}, which a config needs.`, {
    where: where(path),
    fix: 'Run with --live to ask Proxmox.',
  })
}
