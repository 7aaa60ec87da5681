import { endpointOf } from '../../desired/endpoint.js'
import type { Inventory } from '../../inventory/inventory.js'
import { placesFromInventory, placesFromWorld } from '../../operations/render/rendered-cluster.js'
import { specOf } from '../../operations/spec/spec-of.js'
import { diagramMermaid } from '../../render/diagram-mermaid.js'
import { diagramSvg } from '../../render/diagram-svg.js'
import { publicMode, type RenderedFile } from '../../render/render-input.js'
import type { Topology } from '../../render/topology.js'
import type { Context } from '../frame/context.js'
import { withWorld } from '../open-world.js'
import { dhcpReservations } from './reservations.js'
import { type Places, topologyOf } from './topology.js'

export type DiagramFormat = 'svg' | 'mermaid'

interface Wanted {
  readonly dhcp?: 'dnsmasq' | undefined
  readonly diagram?: DiagramFormat | undefined
  readonly lab: boolean
  readonly live: boolean
}

/** Files that need no secrets, so that they can be written before the first `up`. */
export async function singleFiles(
  inventory: Inventory,
  { dhcp, diagram, lab, live }: Wanted,
  context: Context,
): Promise<RenderedFile[]> {
  const reservations =
    dhcp === undefined ? [] : [{ path: 'dnsmasq.conf', content: dhcpReservations(inventory), mode: publicMode }]
  if (diagram === undefined) return reservations
  const places = live || lab ? await livePlaces(inventory, lab, context) : offlinePlaces(inventory)
  return [...reservations, diagramFile(diagram, topologyOf(inventory, places))]
}

function diagramFile(format: DiagramFormat, topology: Topology): RenderedFile {
  return format === 'svg'
    ? { path: 'diagram.svg', content: diagramSvg(topology), mode: publicMode }
    : { path: 'diagram.mmd', content: diagramMermaid(topology), mode: publicMode }
}

function offlinePlaces(inventory: Inventory): Places {
  const { machines, settings, guests } = inventory
  const knowsHosts = settings.proxmox.target_nodes.length > 0 || guests.length > 0
  return {
    endpoint: endpointOf(inventory),
    places: knowsHosts ? placesFromInventory(inventory) : new Map(),
    addresses: new Map(machines.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address]]))),
  }
}

async function livePlaces(inventory: Inventory, lab: boolean, context: Context): Promise<Places> {
  return withWorld(inventory, { lab, mayStartLab: false }, context, async (session) => {
    return placesFromWorld(await specOf(session), session.world, context.signal)
  })
}
