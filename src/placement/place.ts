import type { Machine } from '../cluster/machine.js'
import type { DiskDemand } from './disk-space.js'
import type { Facts, Wanted } from './facts.js'
import type { HostCapacity } from './host-capacity.js'
import { cannotFit, cannotGrow, refusalOf, type Unplaced } from './refusal.js'
import { Site } from './site.js'

/** The host of each machine, and the remaining capacity. */
export interface Placement {
  readonly hostOf: ReadonlyMap<string, string>
  readonly capacities: readonly HostCapacity[]
}

/**
 * Finds a host for every machine, or refuses with the numbers. Existing machines stay, unless their host is evacuated
 * or they return to theirs; if they may move, also when the host is avoided or they are pinned elsewhere. The same
 * input gives the same placement.
 */
export function place(wanted: Wanted, facts: Facts, { mayMove = true }: { mayMove?: boolean } = {}): Placement {
  const first = attempt(wanted, facts, wanted.machines, mayMove)
  const largestFirst =
    first.unplaced.length === 0 ? first : attempt(wanted, facts, wanted.machines.toSorted(bySize), mayMove)
  if (largestFirst.unplaced.length > 0) throw refusalOf(wanted, facts, first.unplaced)
  refuseGrowth(wanted, facts, largestFirst.placement)
  return largestFirst.placement
}

/** Existing machines stay, even on an overcommitted host, but none of them may grow there. */
function refuseGrowth(wanted: Wanted, { guests }: Facts, { hostOf, capacities }: Placement): void {
  const existing = new Map(guests.flatMap((guest) => (guest.isOurs && guest.name ? [[guest.name, guest]] : [])))
  const growing = wanted.machines.filter(({ name, cpu, memory }) => {
    const now = existing.get(name)
    return now !== undefined && (memory > now.memory || cpu > now.cpus)
  })
  const crowded = new Set(capacities.filter(isCrowded).map(({ name }) => name))
  const [first] = growing.filter(({ name }) => crowded.has(hostOf.get(name) ?? ''))
  const crowdedHost = capacities.find(({ name }) => name === hostOf.get(first?.name ?? ''))
  if (first !== undefined && crowdedHost !== undefined) throw cannotGrow(wanted, first, crowdedHost)
}

function isCrowded({ cpu, memory, reserve }: HostCapacity): boolean {
  return cpu.free < reserve.cpu || memory.free < reserve.memory
}

function attempt(wanted: Wanted, facts: Facts, machines: readonly Machine[], mayMove: boolean) {
  const site = new Site(wanted, facts)
  const returning = machines.filter((machine) => site.isReturning(machine))
  const staying = machines.filter((machine) => !returning.includes(machine))
  const newcomers = staying.filter((machine) => !site.keep(machine, mayMove))
  newcomers.push(...returning.filter((machine) => !site.bringHome(machine) && !site.keep(machine, mayMove)))
  settleGuests(wanted, facts, site)
  const unplaced = newcomers.toSorted(byTurn).flatMap((machine): Unplaced[] => {
    if (site.settle(machine)) return []
    const left = site.findLeft(machine)
    return [{ machine, obstacles: site.obstaclesFor(machine), ...(left === undefined ? {} : { left }) }]
  })
  return { placement: { hostOf: site.hostOf, capacities: site.capacities() } satisfies Placement, unplaced }
}

/** A guest that does not exist yet needs capacity like a machine. */
function settleGuests(wanted: Wanted, facts: Facts, site: Site): void {
  const there = new Set(facts.guests.flatMap(({ name, vmid }) => [name, vmid]))
  for (const [index, guest] of wanted.guests.entries()) {
    const isThere = there.has(guest.name) || (guest.vmid !== undefined && there.has(guest.vmid))
    if (!guest.create || isThere) continue
    const lacking = site.settleGuest(guest.host, disksOf(wanted, index))
    if (lacking !== undefined) throw cannotFit(wanted, index, guest, lacking)
  }
}

function disksOf({ settings }: Wanted, index: number): DiskDemand {
  const { disk = 0, disks = [], datastore } = settings.guests[index] ?? {}
  const system = datastore === undefined ? { disk, disks: [] } : { disk: 0, disks: [{ size: disk, datastore }] }
  return { disk: system.disk, disks: [...system.disks, ...disks] }
}

/** Those with the fewest options first: pinned ones, control planes, machines with devices, then the rest in order. */
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
