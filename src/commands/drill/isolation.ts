import { endpointOf } from '../../desired/endpoint.js'
import type { PlanRefused } from '../../errors.js'
import { drillWithoutImages, notIsolated } from '../../findings/refusals/runs.js'
import type { Inventory } from '../../inventory/inventory.js'
import { hasProbes } from '../../operations/drill/drill-cluster.js'
import type { Session } from '../../operations/session.js'
import type { World } from '../../world.js'
import type { ChosenSnapshot } from '../restore/chosen-snapshot.js'
import { controlPlanesOf } from '../restore/save-etcd.js'

/**
 * A control plane with the keys and objects of a running cluster must not reach it: its bridge has neither a port nor
 * an address in Proxmox's configuration, on every possible host; or the inventory declares it isolated.
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

/** Where images come from if the machine has no gateway. */
export function refuseWithoutImages({ settings: { drill, talos }, where }: Inventory): void {
  if (drill.address === undefined || drill.mirror !== undefined || talos.registries.length > 0) return
  throw drillWithoutImages.refuse(
    'The machine of a drill could not pull images: with drill.address it has no gateway.',
    {
      subject: { kind: 'inventory', name: 'drill' },
      where: where('drill'),
      fix: 'Set drill.mirror to a registry mirror that is reachable on drill.bridge, or use `ichor drill --offline`.',
    },
  )
}

const apiPorts = [50000, 6443]

/**
 * What the machine must not reach: the current control planes and those of the snapshot, by the Talos and Kubernetes
 * APIs, and the endpoint of the cluster. Empty if its Talos has no probes.
 */
export async function endpointsOf(opened: Session, chosen: ChosenSnapshot, signal: AbortSignal): Promise<string[]> {
  const { inventory } = opened
  if (!hasProbes(inventory)) return []
  const endpoint = endpointOf(inventory)
  const now = (await controlPlanesOf(opened, signal)).map(({ address }) => address)
  const addresses = [...new Set([...now, ...chosen.members.flatMap((member) => member.addresses)])]
  const apis = addresses.flatMap((address) => apiPorts.map((port) => hostPort(address, port)))
  return [...new Set([...apis, ...(endpoint === undefined ? [] : [apiOf(endpoint)])])].sort()
}

function apiOf(endpoint: string): string {
  const { hostname, port } = new URL(endpoint)
  return `${hostname}:${port === '' ? 443 : port}`
}

function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

function refused({ where }: Inventory, problem: string): PlanRefused {
  return notIsolated.refuse(problem, {
    subject: { kind: 'inventory', name: 'drill.bridge' },
    where: where('drill.bridge'),
    fix: 'Name a bridge without ports and without an address, and drill.host if not every host has it. If nothing is reachable from it all the same, set drill.isolated: true.',
  })
}
