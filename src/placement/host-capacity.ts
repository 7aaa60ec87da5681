import { compareNames } from '../cluster/compare-names.js'
import { groupBy } from '../cluster/lookup.js'
import type { Device, Guest, Machine } from '../cluster/machine.js'
import { GiB } from '../cluster/machine.js'
import type { Facts, GuestFacts, HostFacts, Wanted } from './facts.js'

/** An amount of which a part is used. */
export interface Amount {
  readonly total: number
  readonly used: number
  readonly free: number
}

/** The capacity of a host, what runs there, and what is free. Memory in bytes. */
export interface HostCapacity {
  readonly name: string
  readonly cpu: Amount
  readonly memory: Amount
  readonly machines: readonly string[]
  readonly guests: readonly string[]
  /** How much of the free capacity the inventory reserves. */
  readonly reserve: Reserve
  /** Bytes used by something that this token cannot see. */
  readonly unseen: number
}

export interface Reserve {
  readonly cpu: number
  readonly memory: number
}

/** Memory reserved for the host. */
const hostMemory = 2 * GiB

/** A host during placement: each machine reduces its free capacity. */
export class OpenHost {
  readonly name: string
  readonly threads: number
  readonly machines: string[] = []
  readonly guests: string[] = []
  freeCpu: number
  freeMemory: number
  reserve: Reserve = { cpu: 0, memory: 0 }
  unseen = 0
  readonly #totalCpu: number
  readonly #totalMemory: number
  readonly #devices = new Map<string, number>()

  constructor(host: HostFacts, total: { cpu: number; memory: number }) {
    this.name = host.name
    this.threads = host.cpus
    this.#totalCpu = this.freeCpu = total.cpu
    this.#totalMemory = this.freeMemory = total.memory
    for (const mapping of host.pciMappings) this.#devices.set(mapping, (this.#devices.get(mapping) ?? 0) + 1)
  }

  canHold({ cpu, memory, devices }: Machine): boolean {
    const hasPower = cpu <= this.freeCpu && memory <= this.freeMemory && (this.threads === 0 || cpu <= this.threads)
    return hasPower && (devices.length === 0 || this.#findLacking(devices) === undefined)
  }

  /** Why this machine cannot run here; `undefined` if it can. */
  obstacleFor({ cpu, memory, devices }: Machine): string | undefined {
    if (this.#totalCpu === 0) return 'a size that this token cannot read (Sys.Audit is missing)'
    if (cpu > this.freeCpu) return `${this.freeCpu} vCPU free${this.#kept(this.reserve.cpu > 0)}`
    if (memory > this.freeMemory) {
      const unseen =
        this.unseen > 0 ? ` (${gibibytes(this.unseen)} are used by something that this token cannot see)` : ''
      return `${gibibytes(this.freeMemory)} of memory free${this.#kept(this.reserve.memory > 0)}${unseen}`
    }
    if (this.threads > 0 && cpu > this.threads) return `${this.threads} threads, and no VM may have more vCPUs`
    const lacking = this.#findLacking(devices)
    return lacking === undefined ? undefined : `no free device of the PCI mapping ${lacking.mapping}`
  }

  #kept(isReserved: boolean): string {
    return isReserved ? ' beside its reserve' : ''
  }

  /** What is overcommitted on this host; `undefined` if everything fits. */
  shortage(): string | undefined {
    if (this.freeCpu < 0) return `${-this.freeCpu} vCPU too few`
    if (this.freeMemory < 0) return `${gibibytes(-this.freeMemory)} less memory than needed`
    return undefined
  }

  /** A PCI mapping with more devices in use than exist. */
  findOvertakenMapping(): string | undefined {
    return [...this.#devices].find(([, left]) => left < 0)?.[0]
  }

  #findLacking(devices: readonly Device[]): Device | undefined {
    return devices.find(({ mapping }) => (this.#devices.get(mapping) ?? 0) < needs(devices, mapping))
  }

  admit(machine: Machine): void {
    this.take(machine)
    this.machines.push(machine.name)
  }

  admitGuest(guest: Guest): void {
    this.take(guest)
    this.guests.push(guest.name)
  }

  /** Takes capacity that is not available to us, whatever uses it. */
  take({ cpu, memory, devices }: { cpu: number; memory: number; devices: readonly Device[] }): void {
    this.freeCpu -= cpu
    this.freeMemory -= memory
    for (const { mapping } of devices) this.#devices.set(mapping, (this.#devices.get(mapping) ?? 0) - 1)
  }

  /** Reserves capacity: no machine is placed into it. */
  keepFree(reserve: Reserve): void {
    this.reserve = reserve
    this.take({ ...reserve, devices: [] })
  }

  /** Takes memory that only the host reports as used. */
  takeUnseen(memory: number): void {
    this.unseen = memory
    this.freeMemory -= memory
  }

  close(): HostCapacity {
    const { reserve, unseen } = this
    return {
      name: this.name,
      cpu: amount(this.#totalCpu, this.freeCpu, reserve.cpu),
      memory: amount(this.#totalMemory, this.freeMemory, reserve.memory),
      machines: this.machines,
      guests: this.guests,
      reserve,
      unseen,
    }
  }
}

/**
 * The hosts of the inventory before machines are placed. With `pve_capacity` the inventory has that capacity; otherwise
 * the guests of others and 2 GiB for the host are subtracted. Guests of the inventory are already included.
 */
export function openHosts({ settings, machines, guests }: Wanted, facts: Facts): OpenHost[] {
  const opened = hostsOf(settings.proxmox.target_nodes, facts.hosts).map(
    (host) => new OpenHost(host, totalOf(host, settings)),
  )
  const byName = new Map(opened.map((one) => [one.name, one]))
  for (const guest of guests) byName.get(guest.host)?.admitGuest(asItIs(guest, facts))
  for (const one of opened) one.keepFree(reserveOf(one.name, settings))
  if (settings.pve_capacity !== undefined) return opened
  const ours = new Set(machines.map(({ name }) => name))
  const reserved = new Set(guests.flatMap(({ name, vmid }) => (vmid === undefined ? [name] : [name, vmid])))
  const isCounted = ({ isOurs, name = '', vmid }: GuestFacts) =>
    isOurs ? ours.has(name) : reserved.has(name) || reserved.has(vmid)
  for (const guest of facts.guests) {
    if (takesCapacity(guest) && !isCounted(guest))
      byName.get(guest.host)?.take({ ...guest, cpu: guest.cpus, devices: [] })
  }
  const seesOthers = facts.guests.some((guest) => !guest.isOurs && !isCounted(guest))
  if (seesOthers) return opened
  const running = groupBy(
    facts.guests.filter((guest) => guest.running),
    ({ host }) => host,
  )
  for (const host of facts.hosts) byName.get(host.name)?.takeUnseen(unseenMemory(host, running.get(host.name) ?? []))
  return opened
}

/** A guest may have been enlarged by hand: the host gives it what it has, not what the inventory states. */
function asItIs(guest: Guest, facts: Facts): Guest {
  const seen = facts.guests.find(
    ({ isOurs, vmid, name }) => !isOurs && (guest.vmid === undefined ? name === guest.name : vmid === guest.vmid),
  )
  if (seen === undefined) return guest
  return { ...guest, cpu: Math.max(guest.cpu, seen.cpus), memory: Math.max(guest.memory, seen.memory) }
}

/** What a host uses beyond its visible guests and its own reserve. */
function unseenMemory({ memoryUsed = 0 }: HostFacts, running: readonly GuestFacts[]): number {
  const seen = running.reduce((sum, { memory }) => sum + memory, 0)
  return Math.max(0, memoryUsed - seen - hostMemory)
}

function reserveOf(host: string, { reserve }: Wanted['settings']): Reserve {
  const { cpu = 0, ram = 0 } = reserve[host] ?? reserve['*'] ?? {}
  return { cpu, memory: ram }
}

/** In inventory order, or by name. */
function hostsOf(names: readonly string[], hosts: readonly HostFacts[]): HostFacts[] {
  if (names.length === 0) return hosts.toSorted((one, other) => compareNames(one.name, other.name))
  const byName = new Map(hosts.map((host) => [host.name, host]))
  return names.flatMap((name) => byName.get(name) ?? [])
}

function totalOf(host: HostFacts, { pve_capacity, placement }: Wanted['settings']): { cpu: number; memory: number } {
  const capacity = pve_capacity?.[host.name]
  if (capacity !== undefined)
    return { cpu: capacity.cpu, memory: host.memory > 0 ? Math.min(capacity.ram, host.memory) : capacity.ram }
  return { cpu: Math.floor(host.cpus * placement.overcommit), memory: Math.max(0, host.memory - hostMemory) }
}

function takesCapacity({ running, onboot }: GuestFacts): boolean {
  return running || onboot
}

function needs(devices: readonly Device[], mapping: string): number {
  return devices.filter((device) => device.mapping === mapping).length
}

/** Reserved capacity counts as free, but is not allocated. */
function amount(total: number, left: number, reserved: number): Amount {
  const free = left + reserved
  return { total, used: total - free, free }
}

/** `8 GiB`, `7.5 GiB`. */
export function gibibytes(bytes: number): string {
  return `${Math.floor((bytes / GiB) * 10) / 10} GiB`
}
