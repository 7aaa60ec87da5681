import type { SimClock } from '../../core/clock.js'
import type { TalosMachine } from '../machine/machine.js'

const leaseMs = 60_000

/**
 * The holders of VIPs. A holder that shuts down gracefully releases it at once; one that fails keeps it for a minute.
 */
export class VipLeases {
  readonly #clock: SimClock
  readonly #leases = new Map<string, { holder: TalosMachine; boot: string; seenAt: number }>()

  constructor(clock: SimClock) {
    this.#clock = clock
  }

  /** Whether the machine holds it now. */
  take(vip: string, machine: TalosMachine): boolean {
    const now = this.#clock.now()
    const lease = this.#leases.get(vip)
    if (lease !== undefined && isAlive(lease)) lease.seenAt = now
    const isFree = lease === undefined || (!isAlive(lease) && now - lease.seenAt >= leaseMs)
    if (!isFree) return lease?.holder === machine && isAlive(lease)
    this.#leases.set(vip, { holder: machine, boot: machine.bootId, seenAt: now })
    return true
  }

  release(machine: TalosMachine): void {
    for (const [vip, lease] of this.#leases) if (lease.holder === machine) this.#leases.delete(vip)
  }
}

function isAlive({ holder, boot }: { holder: TalosMachine; boot: string }): boolean {
  return holder.bootId === boot && !holder.isHung && !holder.boot.signal.aborted && holder.services.isHealthy('etcd')
}
