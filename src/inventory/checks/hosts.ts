import { findNearest } from '../../nearest.js'
import type { Complaint } from '../complaint.js'
import type { Path } from '../path.js'
import type { Settings } from '../schema.js'
import { type CheckInput, listed } from './check.js'

/** Named hosts must be in the inventory, and settings about them must be consistent. */
export function* checkHosts(input: CheckInput): Iterable<Complaint> {
  yield* unknownHosts(input)
  yield* capacityHosts(input)
  yield* contradictoryPins(input)
  yield* avoidedHosts(input)
  yield* antiAffinity(input)
  yield* guestHosts(input)
}

/** A host by its name, and where it is named. */
export interface MentionedHost {
  readonly host: string
  readonly path: Path
}

const hostPaths: readonly Path[] = [['proxmox', 'node'], ['proxmox', 'target_nodes'], ['pve_capacity']]

/** Every host that is named outside the list of hosts. */
export function mentionedHosts(settings: Settings): MentionedHost[] {
  const nodes = [
    ...settings.controlplane.map(({ host }, index) => ({ host, path: ['controlplane', index, 'host'] as Path })),
    ...settings.workers.map(({ host }, index) => ({ host, path: ['workers', index, 'host'] as Path })),
    ...settings.guests.map(({ host }, index) => ({ host, path: ['guests', index, 'host'] as Path })),
  ]
  return [
    ...Object.entries(settings.placement.pinned).map(([name, host]) => ({
      host,
      path: ['placement', 'pinned', name] as Path,
    })),
    ...settings.placement.avoid.map((host, index) => ({ host, path: ['placement', 'avoid', index] as Path })),
    ...settings.placement.evacuate.map((host, index) => ({ host, path: ['placement', 'evacuate', index] as Path })),
    ...Object.keys(settings.reserve)
      .filter((host) => host !== '*')
      .map((host) => ({ host, path: ['reserve', host] as Path })),
    ...(settings.drill.host === undefined ? [] : [{ host: settings.drill.host, path: ['drill', 'host'] as Path }]),
    ...nodes.flatMap(({ host, path }) => (host === undefined ? [] : [{ host, path }])),
  ]
}

function* unknownHosts(input: CheckInput): Iterable<Complaint> {
  const known = input.settings.proxmox.target_nodes
  if (known.length === 0) return
  const names = new Set(known)
  for (const { host, path } of mentionedHosts(input.settings)) {
    if (names.has(host)) continue
    const near = findNearest(host, known)
    yield {
      path,
      related: hostPaths,
      message: `${host} is not one of the hosts of this inventory: ${listed(known)}.`,
      fix: near === undefined ? 'Write one of them, or add it to proxmox.target_nodes.' : `Did you mean ${near}?`,
    }
  }
}

function* capacityHosts({ settings: { proxmox, pve_capacity: capacity } }: CheckInput): Iterable<Complaint> {
  if (capacity === undefined) return
  for (const host of proxmox.target_nodes) {
    if (Object.hasOwn(capacity, host)) continue
    yield {
      path: ['pve_capacity'],
      related: hostPaths,
      message: `pve_capacity has no entry for ${host}, which is one of the hosts to use.`,
      fix: `Add ${host} with its cpu and ram, or remove it from proxmox.target_nodes.`,
    }
  }
  for (const host of Object.keys(capacity)) {
    if (proxmox.target_nodes.includes(host)) continue
    yield {
      path: ['pve_capacity', host],
      at: 'key',
      related: hostPaths,
      message: `pve_capacity names ${host}, which is not one of the hosts to use: ${listed(proxmox.target_nodes)}.`,
      fix: `Remove it, or add ${host} to proxmox.target_nodes.`,
    }
  }
}

function* contradictoryPins({ settings: { controlplane, workers, placement } }: CheckInput): Iterable<Complaint> {
  const avoided = closedHosts(placement)
  for (const { name, host } of [...controlplane, ...workers]) {
    const pinned = placement.pinned[name]
    if (host === undefined || pinned === undefined || host === pinned) continue
    yield {
      path: ['placement', 'pinned', name],
      message: `${name} is pinned to ${pinned}, and its own host is ${host}.`,
      fix: 'Keep one of the two.',
    }
  }
  for (const [name, host] of Object.entries(placement.pinned)) {
    if (!avoided.has(host)) continue
    yield {
      path: ['placement', 'pinned', name],
      related: [['placement', 'avoid']],
      message: `${name} is pinned to ${host}, which ${placement.avoid.includes(host) ? 'placement.avoid' : 'placement.evacuate'} keeps empty.`,
      fix: 'Pin it to another host, or remove that host from the list.',
    }
  }
}

/** Hosts that accept no new machine. */
function closedHosts({ avoid, evacuate }: CheckInput['settings']['placement']): Set<string> {
  return new Set([...avoid, ...evacuate])
}

function* avoidedHosts({ settings: { placement, proxmox } }: CheckInput): Iterable<Complaint> {
  const hosts = proxmox.target_nodes
  const closed = closedHosts(placement)
  if (hosts.length === 0 || hosts.some((host) => !closed.has(host))) return
  const key = placement.avoid.length > 0 ? 'avoid' : 'evacuate'
  yield {
    path: ['placement', key],
    related: hostPaths,
    message: `placement.${key} leaves no host: ${listed(hosts)} are all avoided.`,
    fix: 'Leave at least one host out of it.',
  }
}

function* antiAffinity({ settings: { placement, proxmox, worker_pools }, groups }: CheckInput): Iterable<Complaint> {
  const closed = closedHosts(placement)
  const hosts = proxmox.target_nodes.filter((host) => !closed.has(host))
  if (hosts.length === 0) return
  for (const { pool, role, count, countPath, settings } of groups) {
    const rule =
      settings?.anti_affinity ?? placement.anti_affinity[role === 'controlplane' ? 'control_plane' : 'worker']
    if (rule !== 'required' || count <= hosts.length) continue
    const position = worker_pools.findIndex(({ name }) => name === pool)
    const path =
      settings?.anti_affinity === undefined
        ? ['placement', 'anti_affinity']
        : ['worker_pools', position, 'anti_affinity']
    yield {
      path,
      related: [countPath, ...hostPaths],
      message: `No two machines of ${pool} may share a host, but there are ${count} machines for ${hosts.length} hosts.`,
      fix: 'Use preferred, add hosts, or reduce the number of machines.',
    }
  }
}

function* guestHosts({ settings: { guests, proxmox } }: CheckInput): Iterable<Complaint> {
  for (const [index, { name, host }] of guests.entries()) {
    if (host !== undefined || proxmox.target_nodes.length === 1) continue
    yield {
      path: ['guests', index],
      related: hostPaths,
      message: `The guest ${name} has no host.`,
      fix: `Set guests[${index}].host.`,
    }
  }
}
