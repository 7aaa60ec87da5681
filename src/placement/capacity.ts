import type { Facts, HostFacts, Wanted } from './facts.js'
import type { Amount, Reserve } from './host-capacity.js'
import { place } from './place.js'

/** A row of the capacity table. Total and free are missing if only Proxmox knows them. */
export interface CapacityRow {
  readonly name: string
  readonly cpu: KnownAmount
  readonly memory: KnownAmount
  readonly machines: readonly string[]
  readonly guests: readonly string[]
  readonly reserve: Reserve
  /** Bytes used by something that this token cannot see. */
  readonly unseen: number
  /** Missing if only Proxmox knows them. */
  readonly storages?: readonly StorageRow[]
  /** It does not respond: its capacity is unknown and cannot be used. */
  readonly isOffline?: boolean
}

/** Bytes. */
export interface StorageRow extends Amount {
  readonly name: string
}

export type KnownAmount = Pick<Amount, 'used'> & Partial<Amount>

/** Machines per host and the free capacity, from the inventory alone. Empty if it names no host. */
export function capacityTable(wanted: Wanted): CapacityRow[] {
  const capacity = wanted.settings.pve_capacity
  const { capacities } = place(wanted, factsOf(wanted))
  if (capacity !== undefined) return [...capacities]
  return capacities.map(({ cpu, memory, ...row }) => ({
    ...row,
    cpu: { used: cpu.used },
    memory: { used: memory.used },
  }))
}

/** Hosts as in the inventory; unspecified capacity is unlimited. */
export function factsOf(wanted: Wanted): Facts {
  const { settings, machines, guests } = wanted
  const named = settings.proxmox.target_nodes
  const names = named.length > 0 ? named : guests.map(({ host }) => host)
  const mappings = [...machines, ...guests].flatMap(({ devices }) => devices.map(({ mapping }) => mapping))
  const storages = datastoresOf(wanted).map((id) => ({
    id,
    shared: true,
    free: plenty,
    total: plenty,
    content: ['images'],
  }))
  const host = { online: true, maintenance: false, cpus: plenty, memory: plenty, storages, pciMappings: mappings }
  return { hosts: [...new Set(names)].map((name): HostFacts => ({ name, ...host })), guests: [] }
}

function datastoresOf({ settings, machines }: Wanted): string[] {
  const further = [...machines, ...settings.guests].flatMap(({ disks }) => disks.map(({ datastore }) => datastore))
  const named = [
    settings.proxmox.datastore ?? 'disks',
    ...settings.guests.map(({ datastore }) => datastore),
    ...further,
  ]
  return [...new Set(named.filter((id) => id !== undefined))]
}

const plenty = 2 ** 50
