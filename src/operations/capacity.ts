import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import {
  type CapacityRow,
  capacityTable,
  type Facts,
  factsOf,
  place,
  type Refit,
  refitWithout,
  type Survival,
  surviveWithout,
} from '../placement/index.js'
import type { HostLoadReport } from './status/host-load.js'

/** Host as it is planned, with what it does now: missing without `--live`, `null` if that is not known. */
export type LoadedRow = CapacityRow & { readonly load?: HostLoadReport | null }

/** What is left without a host, and where its machines would go. */
type Loss = Survival & { readonly refit: Refit }

/** Machines per host, and the effect of losing a host. */
export interface Capacity {
  readonly cluster: string
  readonly hosts: readonly LoadedRow[]
  /** What all machines of the inventory need in total. */
  readonly asked: { readonly machines: number; readonly cpu: number; readonly memory: number; readonly disk: number }
  readonly loss?: Loss
}

/** From the inventory alone, or with the sizes that Proxmox reports; with `lose`, what is left without that host. */
export function capacityOf(inventory: Inventory, live: Facts | undefined, lose: string | undefined): Capacity {
  const facts = live ?? factsOf(inventory)
  const cluster = inventory.settings.cluster_name
  if (facts.hosts.length === 0 && lose === undefined) return { cluster, hosts: [], asked: askedBy(inventory) }
  const { hostOf, capacities } = place(inventory, facts)
  const offline = offlineOf(facts)
  const hosts =
    live === undefined ? capacityTable(inventory) : capacities.map((row) => known(withStorages(row, facts), offline))
  const asked = askedBy(inventory)
  if (lose === undefined) return { cluster, hosts, asked }
  if (!hosts.some(({ name }) => name === lose)) throw unknownHost(lose, inventory, hosts)
  const areSizesKnown = live !== undefined || inventory.settings.pve_capacity !== undefined
  const refit = areSizesKnown ? refitWithout(inventory, facts, hostOf, lose) : unknownRefit
  return { cluster, hosts, asked, loss: { ...surviveWithout(inventory, hostOf, lose, offline), refit } }
}

/** With the sizes that Proxmox reports, without each host in turn: placed once for all of them. */
export function liveCapacity(inventory: Inventory, live: Facts): { hosts: LoadedRow[]; losses: Loss[] } {
  const { hostOf, capacities } = place(inventory, live)
  const offline = offlineOf(live)
  return {
    hosts: capacities.map((row) => known(withStorages(row, live), offline)),
    losses: live.hosts.map(({ name }) => ({
      ...surviveWithout(inventory, hostOf, name, offline),
      refit: refitWithout(inventory, live, hostOf, name),
    })),
  }
}

function offlineOf({ hosts }: Facts): ReadonlySet<string> {
  return new Set(hosts.filter(({ online }) => !online).map(({ name }) => name))
}

const unknownRefit: Refit = {
  fits: null,
  reason:
    'the inventory does not contain the size of the hosts; set pve_capacity, or use --live to read it from Proxmox',
}

/** What the machines of the inventory need, on any host. */
function askedBy({ machines }: Inventory): Capacity['asked'] {
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    machines: machines.length,
    cpu: sum(machines.map(({ cpu }) => cpu)),
    memory: sum(machines.map(({ memory }) => memory)),
    disk: sum(machines.map(({ disk, disks }) => disk + sum(disks.map(({ size }) => size)))),
  }
}

/** Storages that hold disks. */
function withStorages(row: CapacityRow, { hosts }: Facts): CapacityRow {
  const own = hosts.find(({ name }) => name === row.name)?.storages ?? []
  const storages = own
    .filter(({ content }) => content.includes('images'))
    .map(({ id, total, free }) => ({ name: id, total, free, used: total - free }))
  return { ...row, storages }
}

function known(row: CapacityRow, offline: ReadonlySet<string>): CapacityRow {
  if (!offline.has(row.name)) return row
  return { ...row, isOffline: true, cpu: { used: row.cpu.used }, memory: { used: row.memory.used } }
}

function unknownHost(name: string, { file }: Inventory, hosts: Capacity['hosts']): UsageError {
  return new UsageError(`There is no host ${name}.`, {
    where: file,
    fix:
      hosts.length === 0
        ? 'The inventory lists no hosts: use --live to read it from Proxmox.'
        : `Name one of ${hosts.map((host) => host.name).join(', ')}.`,
  })
}
