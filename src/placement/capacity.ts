import type { Facts, HostFacts, Wanted } from './facts.js'
import { place } from './place.js'
import { type Amount, type HostRoom, openRooms } from './room.js'

/** A row of the capacity table. Total and free are missing where only Proxmox knows them. */
export interface CapacityRow {
  readonly name: string
  readonly cpu: KnownAmount
  readonly memory: KnownAmount
  readonly machines: readonly string[]
  readonly guests: readonly string[]
}

export type KnownAmount = Pick<Amount, 'used'> & Partial<Amount>

/** What each host has before a machine of this inventory is placed: others' VMs and our guests taken off. */
export function hostRooms(wanted: Wanted, facts: Facts): HostRoom[] {
  return openRooms(wanted, facts).map((room) => room.close())
}

/** Who lives where and what is left, from the inventory alone. Empty where it names no host. */
export function capacityTable(wanted: Wanted): CapacityRow[] {
  const capacity = wanted.settings.pve_capacity
  const { rooms } = place(wanted, factsOf(wanted))
  if (capacity !== undefined) return [...rooms]
  return rooms.map(({ cpu, memory, ...row }) => ({ ...row, cpu: { used: cpu.used }, memory: { used: memory.used } }))
}

/** Hosts as the inventory tells of them: of what it does not say, there is enough. */
export function factsOf({ settings, machines, guests }: Wanted): Facts {
  const names =
    settings.proxmox.target_nodes.length > 0 ? settings.proxmox.target_nodes : guests.map(({ host }) => host)
  const datastores = [
    settings.proxmox.datastore ?? 'disks',
    ...machines.flatMap(({ disks }) => disks.flatMap(({ datastore }) => datastore ?? [])),
  ]
  const mappings = [...machines, ...guests].flatMap(({ devices }) => devices.map(({ mapping }) => mapping))
  const hosts = [...new Set(names)].map(
    (name): HostFacts => ({
      name,
      online: true,
      maintenance: false,
      cpus: plenty,
      memory: plenty,
      storages: [...new Set(datastores)].map((id) => ({
        id,
        shared: true,
        free: plenty,
        total: plenty,
        content: ['images'],
      })),
      pciMappings: mappings,
    }),
  )
  return { hosts, guests: [] }
}

const plenty = 2 ** 50
