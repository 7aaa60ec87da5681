import type { SimClock } from '../../core/clock.js'

/** What a node publishes under the cluster's ID. */
export interface Affiliate {
  readonly nodeId: string
  readonly hostname: string
  readonly addresses: readonly string[]
  readonly role: 'controlplane' | 'worker'
  readonly operatingSystem: string
  readonly apiPort: number
}

const lifetimeMs = 30 * 60_000

/** The discovery service: entries outlive their node by half an hour, so lost members are listed that long. */
export class Discovery {
  readonly #clock: SimClock
  readonly #clusters = new Map<string, Map<string, { affiliate: Affiliate; seenAt: number; isAlive: () => boolean }>>()

  constructor(clock: SimClock) {
    this.#clock = clock
  }

  publish(clusterId: string, affiliate: Affiliate, isAlive: () => boolean): void {
    const cluster = this.#clusters.get(clusterId) ?? new Map()
    cluster.set(affiliate.nodeId, { affiliate, seenAt: this.#clock.now(), isAlive })
    this.#clusters.set(clusterId, cluster)
  }

  /** A node that leaves gracefully removes its entry. */
  withdraw(clusterId: string, nodeId: string): void {
    this.#clusters.get(clusterId)?.delete(nodeId)
  }

  members(clusterId: string): Affiliate[] {
    const now = this.#clock.now()
    const entries = [...(this.#clusters.get(clusterId)?.values() ?? [])]
    for (const entry of entries) if (entry.isAlive()) entry.seenAt = now
    const known = entries.filter(({ seenAt }) => now - seenAt < lifetimeMs).sort((a, b) => a.seenAt - b.seenAt)
    // Members are identified by name: for a node that was wiped and returned, only the last entry counts.
    return [...new Map(known.map(({ affiliate }) => [affiliate.hostname, affiliate])).values()]
  }
}
