import { lookupBy } from '../cluster/lookup.js'
import type { Machine } from '../cluster/machine.js'
import { fullRange, takenVmid } from '../findings/refusals/placement.js'
import type { Facts, GuestFacts, Wanted } from './facts.js'
import { pathOf } from './spec-path.js'

export interface VmidRange {
  readonly from: number
  readonly to: number
}

/**
 * A VMID for every machine: existing ones keep theirs, fixed ones use theirs, the others get the start of their range
 * plus their index, or the next free VMID if that is taken.
 */
export function allocateVmids(
  wanted: Wanted,
  { guests }: Pick<Facts, 'guests'>,
  reserved: Iterable<number> = [],
): Map<string, number> {
  const names = new Set(wanted.machines.map(({ name }) => name))
  const existing = new Map(
    guests.flatMap((guest) => (guest.isOurs && guest.name && names.has(guest.name) ? [[guest.name, guest.vmid]] : [])),
  )
  const holders = new Map(guests.map((guest) => [guest.vmid, guest]))
  const kept = new Set(reserved)
  const free = new FreeIds([...holders.keys(), ...fixedVmids(wanted), ...kept])
  const result = new Map(existing)
  const displaced: Machine[] = []
  for (const machine of wanted.machines) {
    if (result.has(machine.name)) continue
    if (machine.vmid !== undefined) {
      refuseTaken(wanted, machine, machine.vmid, { holder: holders.get(machine.vmid), isKept: kept.has(machine.vmid) })
      result.set(machine.name, machine.vmid)
    } else if (free.take(rangeOf(wanted, machine).from + machine.index)) {
      result.set(machine.name, rangeOf(wanted, machine).from + machine.index)
    } else displaced.push(machine)
  }
  for (const machine of displaced) result.set(machine.name, nextFree(wanted, machine, free))
  return result
}

/** The first free VMIDs of several ranges, in range order; fewer than requested if the ranges are full. */
export function freeVmids(ranges: readonly VmidRange[], count: number, taken: Iterable<number>): number[] {
  const free = new FreeIds(taken)
  const found: number[] = []
  for (const range of ranges) {
    while (found.length < count) {
      const id = free.takeFrom(range.from, range.to)
      if (id === undefined) break
      found.push(id)
    }
  }
  return found
}

/** For templates: the first free VMID of several ranges, one after another. */
export function createVmidQueue(ranges: readonly VmidRange[], taken: Iterable<number>): FreeVmids {
  const free = new FreeIds(taken)
  return {
    take: (vmid) => free.take(vmid),
    next: () => {
      for (const { from, to } of ranges) {
        const vmid = free.takeFrom(from, to)
        if (vmid !== undefined) return vmid
      }
      return undefined
    },
  }
}

export interface FreeVmids {
  /** Takes that VMID; `false` if it is taken. */
  take(vmid: number): boolean
  /** Takes the first free one; `undefined` if there is none. */
  next(): number | undefined
}

/** Free VMIDs, with a fast search for the next one. */
class FreeIds {
  readonly #next = new Map<number, number>()

  constructor(taken: Iterable<number>) {
    for (const id of taken) this.#next.set(id, id + 1)
  }

  take(id: number): boolean {
    if (this.#next.has(id)) return false
    this.#next.set(id, id + 1)
    return true
  }

  takeFrom(from: number, to: number): number | undefined {
    const id = this.#firstFrom(from)
    if (id > to) return undefined
    this.take(id)
    return id
  }

  /** Follows the chain of taken VMIDs and shortens it for the next search. */
  #firstFrom(from: number): number {
    const passed: number[] = []
    let id = from
    for (let next = this.#next.get(id); next !== undefined; next = this.#next.get(id)) {
      passed.push(id)
      id = next
    }
    for (const one of passed) this.#next.set(one, id)
    return id
  }
}

function nextFree(wanted: Wanted, machine: Machine, free: FreeIds): number {
  const { from, to } = rangeOf(wanted, machine)
  const id = free.takeFrom(Math.min(from + machine.index, to), to) ?? free.takeFrom(from, to)
  if (id !== undefined) return id
  throw fullRange.refuse(`The VMID range ${from}-${to} has no free VMID for ${machine.name}.`, {
    subject: { kind: 'machine', name: machine.name },
    where: wanted.where(machine.role === 'controlplane' ? 'vm_ids.control_plane' : 'vm_ids.worker'),
    fix: 'Write a wider range.',
  })
}

function refuseTaken(
  wanted: Wanted,
  machine: Machine,
  vmid: number,
  { holder, isKept }: { holder: GuestFacts | undefined; isKept: boolean },
): void {
  if (holder?.isOurs && holder.name === machine.name) return
  if (holder === undefined && !isKept) return
  const unseen = 'a guest that this token does not see'
  const owner = holder === undefined ? unseen : `${holder.name ?? 'a VM without a name'} on ${holder.host}`
  throw takenVmid.refuse(`VMID ${vmid}, which ${machine.name} is to have, belongs to ${owner}.`, {
    subject: { kind: 'machine', name: machine.name },
    where: wanted.where(`${pathOf(wanted, machine)}.vmid`),
    fix: 'Write another VMID, or leave it out.',
  })
}

/** VMIDs that are fixed in the inventory. */
function fixedVmids({ machines, guests }: Wanted): number[] {
  return [...machines, ...guests].flatMap(({ vmid }) => vmid ?? [])
}

const poolByName = lookupBy(({ name }: Wanted['settings']['worker_pools'][number]) => name)

function rangeOf({ settings }: Wanted, machine: Machine): VmidRange {
  if (machine.role === 'controlplane') return settings.vm_ids.control_plane
  const pool = machine.pool === undefined ? undefined : poolByName(settings.worker_pools, machine.pool)
  return pool?.vm_ids ?? settings.vm_ids.worker
}
