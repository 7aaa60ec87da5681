import type { Machine } from '../cluster/machine.js'
import type { DiskDemand } from './disk-space.js'
import type { Facts, Wanted } from './facts.js'
import { crowdedGuest, refusalOf, type Unplaced } from './refusal.js'
import type { HostRoom } from './room.js'
import { Site } from './site.js'

/** Which machine runs on which host, and what that leaves. */
export interface Placement {
  readonly hostOf: ReadonlyMap<string, string>
  readonly rooms: readonly HostRoom[]
}

/**
 * Finds a host for every machine, or refuses with the numbers. Machines that exist stay where they are, unless their
 * host is avoided or they are pinned elsewhere. Same input, same places.
 */
export function place(wanted: Wanted, facts: Facts): Placement {
  const first = attempt(wanted, facts, wanted.machines)
  if (first.unplaced.length === 0) return first.placement
  const largestFirst = attempt(wanted, facts, wanted.machines.toSorted(bySize))
  if (largestFirst.unplaced.length === 0) return largestFirst.placement
  throw refusalOf(wanted, facts, first.unplaced)
}

function attempt(wanted: Wanted, facts: Facts, machines: readonly Machine[]) {
  const site = new Site(wanted, facts)
  const newcomers = machines.filter((machine) => !site.keep(machine))
  settleGuests(wanted, facts, site)
  const unplaced = newcomers.toSorted(byTurn).flatMap((machine): Unplaced[] => {
    return site.settle(machine) ? [] : [{ machine, obstacles: site.obstaclesFor(machine) }]
  })
  return { placement: { hostOf: site.hostOf, rooms: site.rooms() } satisfies Placement, unplaced }
}

/** A guest that is yet to be made needs its room as much as a machine does. */
function settleGuests(wanted: Wanted, facts: Facts, site: Site): void {
  const there = new Set(facts.guests.flatMap(({ name, vmid }) => [name, vmid]))
  for (const [index, guest] of wanted.guests.entries()) {
    const isThere = there.has(guest.name) || (guest.vmid !== undefined && there.has(guest.vmid))
    if (!guest.create || isThere) continue
    const lacking = site.settleGuest(guest.host, disksOf(wanted, index))
    if (lacking !== undefined) throw crowdedGuest(wanted, index, guest, lacking)
  }
}

function disksOf({ settings }: Wanted, index: number): DiskDemand {
  const { disk = 0, disks = [], datastore } = settings.guests[index] ?? {}
  const system = datastore === undefined ? { disk, disks: [] } : { disk: 0, disks: [{ size: disk, datastore }] }
  return { disk: system.disk, disks: [...system.disks, ...disks] }
}

/** Those with the least choice first: pinned, control planes, machines with devices, then the rest in their order. */
function byTurn(one: Machine, other: Machine): number {
  return turnOf(one) - turnOf(other)
}

function turnOf({ host, role, devices }: Machine): number {
  if (host !== undefined) return 0
  if (role === 'controlplane') return 1
  return devices.length > 0 ? 2 : 3
}

function bySize(one: Machine, other: Machine): number {
  return other.memory - one.memory || other.cpu - one.cpu || other.disk - one.disk
}
