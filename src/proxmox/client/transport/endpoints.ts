import type { Dialer, Target } from '../../../reach/dialer.js'
import { formatTarget } from '../../../reach/reach-error.js'
import type { Clock } from '../../../world.js'
import { Connections } from './connections.js'
import { createGate, type Gate } from './gate.js'
import type { Trust } from './trust.js'

export interface Endpoint {
  readonly name: string
  readonly target: Target
  readonly trust: Trust
  readonly connections: Connections
  readonly gate: Gate
}

/** A host that the cluster reported, with its certificate. */
export interface KnownHost {
  readonly address: string
  readonly port: number
  readonly sha256: string
}

/** As the cluster reports it. */
interface OfflineHost {
  readonly name: string
  readonly address?: string
}

/** `any`: any host gives the same answer. `same`: the host must know what was sent to it before. */
export type By = 'any' | 'same'

/** The hosts that can be queried. */
export interface Endpoints {
  /**
   * The host to try first, and the next ones if it does not respond; failed hosts last. Queries that any host can
   * answer rotate once a host has responded, so that no host carries a large fleet alone; the others go to the host
   * that responded last.
   */
  inOrder(by: By): readonly Endpoint[]
  answered(endpoint: Endpoint, by: By): void
  failed(endpoint: Endpoint): void
  /** Replaces the hosts that are left out for as long as another one responds. */
  leaveOut(hosts: readonly OfflineHost[]): void
  isLeftOut(endpoint: Endpoint): boolean
  /** Uses one separate connection to the host that responded last, until `release`. */
  hold(): Endpoint
  release(): void
  /** All hosts, each with new connections; the caller closes them. */
  fresh(): readonly Endpoint[]
  /** Adds a host of the same cluster; does nothing if it is known. */
  learn(host: KnownHost): void
  close(): void
}

const deadHostCooldownMs = 15_000

export function createEndpoints(
  targets: readonly Target[],
  options: { trust: Trust; dialer: Dialer; clock: Clock; concurrencyPerHost: number },
): Endpoints {
  const known = new Map<string, Endpoint>()
  const deadUntil = new Map<Endpoint, number>()
  let preferred: Endpoint | undefined
  let held: Endpoint | undefined
  let turns = 0
  let offline: readonly OfflineHost[] = []

  const make = (target: Target, trust: Trust, atMost: number): Endpoint => ({
    name: formatTarget(target),
    target,
    trust,
    connections: new Connections(target, trust, options.dialer, atMost),
    gate: createGate(atMost),
  })
  const add = (target: Target, trust: Trust) => {
    const name = formatTarget(target)
    if (!known.has(name)) known.set(name, make(target, trust, options.concurrencyPerHost))
  }
  for (const target of targets) add(target, options.trust)

  const isLeftOut = ({ target }: Endpoint) => offline.some((host) => isAt(host, target))
  const isDead = (endpoint: Endpoint) =>
    isLeftOut(endpoint) || (deadUntil.get(endpoint) ?? 0) > options.clock.monotonic()

  /** In the order in which they became known, starting after the last one used. */
  const fromTurn = (alive: readonly Endpoint[]) => {
    const ring = [...known.values()].filter((endpoint) => alive.includes(endpoint))
    const first = turns++ % ring.length
    return [...ring.slice(first), ...ring.slice(0, first)]
  }

  return {
    inOrder: (by) => {
      if (held !== undefined) return [held]
      const all = [...known.values()].sort((one, other) => Number(other === preferred) - Number(one === preferred))
      const alive = all.filter((endpoint) => !isDead(endpoint))
      const usable = alive.length > 0 ? alive : all
      return by === 'any' && preferred !== undefined && alive.length > 1 ? fromTurn(alive) : usable
    },
    answered: (endpoint, by) => {
      if (endpoint === held) return
      if (by === 'same' || preferred === undefined) preferred = endpoint
      deadUntil.delete(endpoint)
    },
    failed: (endpoint) => void deadUntil.set(endpoint, options.clock.monotonic() + deadHostCooldownMs),
    leaveOut: (hosts) => {
      offline = hosts
    },
    isLeftOut,
    hold: () => {
      const [first] = [preferred, ...known.values()].filter((endpoint) => endpoint !== undefined)
      if (first === undefined) throw new TypeError('A Proxmox client without endpoints was asked something.')
      held ??= make(first.target, first.trust, 1)
      return held
    },
    release: () => {
      held?.connections.destroy()
      held = undefined
    },
    fresh: () => [...known.values()].map(({ target, trust }) => make(target, trust, 1)),
    learn: ({ address, port, sha256 }) => add({ host: address, port }, { kind: 'fingerprint', sha256 }),
    close: () => {
      for (const { connections } of known.values()) connections.destroy()
      held?.connections.destroy()
    },
  }
}

/** An endpoint is named by address, or by a name whose first part is the host's. */
function isAt({ name, address }: OfflineHost, { host }: Target): boolean {
  return host === address || host === name || host.startsWith(`${name}.`)
}
