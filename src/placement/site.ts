import type { Machine } from '../cluster/machine.js'
import { type DiskDemand, DiskSpace } from './disk-space.js'
import type { Facts, GuestFacts, HostFacts, Wanted } from './facts.js'
import { type HostCapacity, type OpenHost, openHosts } from './host-capacity.js'

type Rule = 'none' | 'preferred' | 'required'

/** More than any host can have. */
const maxMachines = 1_000_000

export interface Obstacle {
  readonly host: string
  readonly text: string
}

/** The hosts of a cluster during placement. */
export class Site {
  readonly hostOf = new Map<string, string>()
  readonly #settings: Wanted['settings']
  readonly #hosts: ReadonlyMap<string, OpenHost>
  /** Hosts that accept new machines. */
  readonly #open: readonly OpenHost[]
  readonly #space: DiskSpace
  readonly #existing: ReadonlyMap<string, GuestFacts>
  readonly #homes: Readonly<Record<string, string>>
  /** Hosts that work, open to new machines or not. */
  readonly #working: ReadonlySet<string>
  /** Mappings are not queried if no machine has a device; then none is known, and none is needed. */
  readonly #areMappingsKnown: boolean
  readonly #rules: ReadonlyMap<string, Rule>
  /** Members of each pool by host. */
  readonly #members = new Map<string, Map<string, number>>()
  /** Workers of all pools by host. */
  readonly #workers = new Map<string, number>()
  /** Kinds of machines that found no host: space only shrinks, so the next of the kind finds none either. */
  readonly #hopeless = new Map<string, readonly Obstacle[]>()

  constructor(wanted: Wanted, facts: Facts) {
    const opened = openHosts(wanted, facts)
    const usable = new Set(facts.hosts.filter((host) => isUsable(host, wanted)).map(({ name }) => name))
    this.#settings = wanted.settings
    this.#hosts = new Map(opened.map((candidate) => [candidate.name, candidate]))
    this.#open = opened.filter(({ name }) => usable.has(name))
    this.#space = new DiskSpace(facts.hosts, wanted.settings.proxmox.datastore)
    this.#existing = new Map(facts.guests.flatMap((guest) => (guest.isOurs && guest.name ? [[guest.name, guest]] : [])))
    this.#homes = facts.homes ?? {}
    this.#working = new Set(facts.hosts.filter(isWorking).map(({ name }) => name))
    this.#areMappingsKnown = facts.hosts.some(({ pciMappings }) => pciMappings.length > 0)
    this.#rules = rulesOf(wanted.settings)
  }

  /** Keeps an existing machine on its host; `false` if it is new, or must and may move. */
  keep(machine: Machine, mayMove: boolean): boolean {
    const guest = this.#existing.get(machine.name)
    if (guest === undefined || this.#isLeaving(guest)) return false
    const { host } = guest
    if (mayMove && (isClosed(host, this.#settings) || (machine.host ?? host) !== host)) return false
    this.#record(machine, host)
    this.#hosts.get(host)?.admit(machine)
    return true
  }

  /** The evacuated host that a machine leaves. */
  findLeft({ name }: Machine): string | undefined {
    const guest = this.#existing.get(name)
    return guest !== undefined && this.#isLeaving(guest) ? guest.host : undefined
  }

  /** Whether an evacuated machine may return: its host works and is no longer evacuated. */
  isReturning(machine: Machine): boolean {
    const home = this.#homeOf(machine)
    const host = this.#existing.get(machine.name)?.host
    if (home === undefined || home === host || (machine.host ?? home) !== home) return false
    return this.#working.has(home) && !this.#settings.placement.evacuate.includes(home)
  }

  /** Brings it back if there is space; `false` if not. Until it has moved, it uses space on both hosts. */
  bringHome(machine: Machine): boolean {
    const { host = '' } = this.#existing.get(machine.name) ?? {}
    const home = this.#hosts.get(this.#homeOf(machine) ?? '')
    if (home === undefined || !this.#isOpenTo(machine, home)) return false
    this.#hosts.get(host)?.take(machine)
    this.#admit(machine, home)
    return true
  }

  #homeOf({ name }: Machine): string | undefined {
    const guest = this.#existing.get(name)
    return guest === undefined ? this.#homes[name] : guest.move?.home
  }

  #isLeaving({ host, move }: GuestFacts): boolean {
    return move !== undefined && this.#settings.placement.evacuate.includes(host)
  }

  /** A machine that moves takes its disks with it; those on shared storages stay. */
  #disksOf(machine: Machine): DiskDemand {
    const move = this.#existing.get(machine.name)?.move
    if (move === undefined) return machine
    return { disk: 0, disks: move.disks.map(({ storage, size }) => ({ datastore: storage, size })) }
  }

  /** Places a machine; `false` if there is no space. */
  settle(machine: Machine): boolean {
    const kind = this.#kindOf(machine)
    if (this.#hopeless.has(kind)) return false
    const candidate = this.#choose(machine)
    if (candidate === undefined) {
      this.#hopeless.set(kind, this.#examine(machine))
      return false
    }
    this.#admit(machine, candidate)
    return true
  }

  #admit(machine: Machine, candidate: OpenHost): void {
    candidate.admit(machine)
    this.#space.take(candidate.name, this.#disksOf(machine))
    this.#record(machine, candidate.name)
  }

  /** The obstacles for a machine that could not be placed, by host. */
  obstaclesFor(machine: Machine): readonly Obstacle[] {
    return this.#hopeless.get(this.#kindOf(machine)) ?? []
  }

  /** Reserves the disks of a new guest. Returns what its host lacks, or `undefined`. */
  settleGuest(host: string, disks: DiskDemand): string | undefined {
    const candidate = this.#hosts.get(host)
    if (candidate === undefined) return 'a host that is not in this inventory'
    const mapping = this.#areMappingsKnown ? candidate.findOvertakenMapping() : undefined
    const device = mapping === undefined ? undefined : `no free device of the PCI mapping ${mapping}`
    const lacking = candidate.shortage() ?? device ?? this.#space.obstacleFor(host, disks)
    if (lacking === undefined) this.#space.take(host, disks)
    return lacking
  }

  capacities(): HostCapacity[] {
    return [...this.#hosts.values()].map((candidate) => candidate.close())
  }

  /** The host with the lowest rank that has space; among equals the first. */
  #choose(machine: Machine): OpenHost | undefined {
    const rankOf = this.#ranking(machine)
    let best: { candidate: OpenHost; rank: number } | undefined
    for (const candidate of this.#open) {
      const rank = rankOf(candidate)
      if (best !== undefined && rank >= best.rank) continue
      if (this.#isOpenTo(machine, candidate)) best = { candidate, rank }
    }
    return best?.candidate
  }

  /**
   * Spread: by members of the pool, so that each host gets one before any gets two; among equals the host with the
   * fewest workers, so that small pools do not all start on the first host. Pack: the fullest host. Control planes are
   * spread even if the rest is packed, unless the inventory allows them to share a host.
   */
  #ranking(machine: Machine): (candidate: OpenHost) => number {
    const isPacked = this.#settings.placement.strategy === 'pack'
    const isSpreadAnyway = machine.role === 'controlplane' && this.#ruleOf(machine) !== 'none'
    if (isPacked && !isSpreadAnyway) return (candidate) => -candidate.machines.length
    const members = this.#members.get(machine.pool)
    const isWorker = machine.role === 'worker'
    return ({ name }) => (members?.get(name) ?? 0) * maxMachines + (isWorker ? (this.#workers.get(name) ?? 0) : 0)
  }

  #isOpenTo(machine: Machine, candidate: OpenHost): boolean {
    if (machine.host !== undefined && machine.host !== candidate.name) return false
    if (this.#isTaken(machine, candidate) || !candidate.canHold(machine)) return false
    return this.#space.canHold(candidate.name, this.#disksOf(machine))
  }

  #isTaken(machine: Machine, candidate: OpenHost): boolean {
    return this.#ruleOf(machine) === 'required' && (this.#members.get(machine.pool)?.get(candidate.name) ?? 0) > 0
  }

  #examine(machine: Machine): Obstacle[] {
    const candidates = [...this.#hosts.values()].filter(
      ({ name }) => machine.host === undefined || machine.host === name,
    )
    return candidates.map((candidate) => ({ host: candidate.name, text: this.#obstacle(machine, candidate) }))
  }

  #obstacle(machine: Machine, candidate: OpenHost): string {
    if (!this.#open.includes(candidate)) return 'to be skipped (offline, in maintenance, avoided or evacuated)'
    if (this.#isTaken(machine, candidate))
      return `another machine of ${machine.pool} already (anti-affinity is required)`
    return (
      candidate.obstacleFor(machine) ??
      this.#space.obstacleFor(candidate.name, this.#disksOf(machine)) ??
      'enough capacity'
    )
  }

  /** Machines that are the same for placement. */
  #kindOf(machine: Machine): string {
    const { pool, cpu, memory, devices, host } = machine
    const { disk, disks } = this.#disksOf(machine)
    const further = disks.map(({ size, datastore }) => `${size}@${datastore ?? ''}`)
    return [pool, cpu, memory, disk, host ?? '', ...further, ...devices.map(({ mapping }) => mapping)].join('/')
  }

  #ruleOf(machine: Machine): Rule {
    return this.#rules.get(machine.pool) ?? 'preferred'
  }

  #record(machine: Machine, host: string): void {
    this.hostOf.set(machine.name, host)
    const members = this.#members.get(machine.pool) ?? new Map<string, number>()
    this.#members.set(machine.pool, members.set(host, (members.get(host) ?? 0) + 1))
    if (machine.role === 'worker') this.#workers.set(host, (this.#workers.get(host) ?? 0) + 1)
  }
}

function isUsable(host: HostFacts, { settings }: Wanted): boolean {
  return isWorking(host) && !isClosed(host.name, settings)
}

function isWorking({ online, maintenance }: HostFacts): boolean {
  return online && !maintenance
}

/** It accepts no new machine. */
function isClosed(host: string, { placement: { avoid, evacuate } }: Wanted['settings']): boolean {
  return avoid.includes(host) || evacuate.includes(host)
}

function rulesOf({ placement: { anti_affinity }, worker_pools }: Wanted['settings']): Map<string, Rule> {
  return new Map([
    ['controlplane', anti_affinity.control_plane],
    ['workers', anti_affinity.worker],
    ...worker_pools.map((pool) => [pool.name, pool.anti_affinity ?? anti_affinity.worker] as const),
  ])
}
