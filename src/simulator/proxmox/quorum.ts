import type { Datacenter } from './datacenter.js'
import type { DatacenterState, HostState } from './state.js'
import type { Trouble } from './trouble.js'

/** The hosts that one host reaches over the cluster network, including itself. */
function reachedFrom({ hosts }: DatacenterState, { cuts }: Trouble, from: string): string[] {
  return Object.values(hosts)
    .filter(({ name, online }) => name === from || (online && !cuts.has(pair(from, name))))
    .map(({ name }) => name)
}

/** Every host has one vote; a quorum device has enough for the last host. */
function isQuorate(state: DatacenterState, trouble: Trouble, host: string): boolean {
  const votes = Object.keys(state.hosts).length
  if (state.quorumIsLost === true) return false
  return state.quorumDevice === true || reachedFrom(state, trouble, host).length > votes / 2
}

/** Recomputes whether the cluster is quorate: whether a part of it has the majority. */
export function countVotes(state: DatacenterState, trouble: Trouble): void {
  const online = Object.values(state.hosts).filter((host) => host.online)
  state.quorate = online.some(({ name }) => isQuorate(state, trouble, name))
}

/** Seen on Proxmox 9.2: a host that dies is listed as online for about six seconds more. */
export const noticedMs = 6000

/** Whether the others list it as online. */
export function isListed({ clock }: Datacenter, { online, lostAt }: HostState): boolean {
  return online || (lostAt !== undefined && clock.now() < lostAt + noticedMs)
}

/** Two hosts, in either order. */
export function pair(one: string, other: string): string {
  return [one, other].sort().join('|')
}

/** The datacenter as seen by an isolated host: the others are offline, and it may have no quorum. */
export function seenFrom(datacenter: Datacenter, entry: string): Datacenter {
  const { state, trouble } = datacenter
  if (trouble.cuts.size === 0) return datacenter
  const reached = reachedFrom(state, trouble, entry)
  const hosts = Object.fromEntries(
    Object.entries(state.hosts).map(([name, host]) => [
      name,
      reached.includes(name) ? host : { ...host, online: false },
    ]),
  )
  return overlaid(datacenter, { hosts, quorate: isQuorate(state, trouble, entry) })
}

/** The same datacenter with some parts of its state replaced: writes to the others are kept. */
export function overlaid(datacenter: Datacenter, parts: Partial<DatacenterState>): Datacenter {
  const state: DatacenterState = Object.create(datacenter.state)
  for (const [name, value] of Object.entries(parts)) Object.defineProperty(state, name, { value, enumerable: true })
  return { ...datacenter, state }
}
