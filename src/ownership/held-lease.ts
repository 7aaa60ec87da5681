import { canonicalJson } from '../cluster/canonical.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { Clock } from '../world.js'
import type { Holder } from './holder.js'
import { LeaseLost } from './lease-error.js'
import { freeNote, type Homes, writeNote } from './lease-note.js'
import { leaseId, listLeases, ownPoolComment, type Pools } from './lease-pools.js'
import { resume } from './stop-switch.js'

/** The right to change one cluster, held by one run at a time. */
export interface Lease {
  /** It only increases: every run that changes the cluster has its own. */
  readonly number: number
  readonly holder: Holder
  /** Every VMID that this run, or the run whose lease it took over, may have claimed. */
  readonly intent: readonly number[]
  /** Adds VMIDs to the intent; recorded when it resolves, which must be before the first claim. */
  declare(vmids: readonly number[], signal: AbortSignal): Promise<void>
  /** The VMIDs of the intent that stay recorded when this lease is given back after a run that ended well. */
  keepClaims(vmids: readonly number[]): void
  /**
   * Replaces the hosts that machines without a VM return to; recorded when it resolves, which must be before a VM is
   * deleted.
   */
  rememberHomes(homes: Homes, signal: AbortSignal): Promise<void>
  /** Replaces the numbers of earlier leases whose runs may have left requests in marks; recorded when it resolves. */
  rememberUnfinished(leases: readonly number[], signal: AbortSignal): Promise<void>
  /** What earlier runs wrote down about acting, as it stands in the note; to be read with `readLedger`. */
  readonly ledger: string | undefined
  /** Replaces it; recorded when it resolves. */
  rememberLedger(ledger: string | undefined, signal: AbortSignal): Promise<void>
  /** Throws if another run took over, or if the last renewal is over 120 seconds old by either clock. */
  assertFresh(): void
  /** It stays as free, unless `destroy` removes it, or it and the pool that ichor created around it. */
  release(end?: LeaseEnd): Promise<void>
}

export interface LeaseEnd {
  /** `nothing`: the run failed, and what it may have claimed stays recorded. */
  readonly remove: 'nothing' | 'lease' | 'lease-and-pool'
}

export interface Holding {
  readonly pools: Pools
  readonly clock: Clock
  readonly pool: string
  readonly number: number
  readonly holder: Holder
  readonly intent: readonly number[]
  /** When it was requested. */
  readonly since: Moment
}

interface Moment {
  readonly wall: number
  readonly monotonic: number
}

const renewEveryMs = 60_000
const retryAfterMs = 5000
const freshForMs = 120_000

/** A held lease, renewed in the background until it is released or lost. */
export function holdLease({ pools, clock, pool, number, holder, intent, since }: Holding): Lease {
  const id = leaseId(pool, number)
  const over = new AbortController()
  const vmids = new Set(intent)
  let claims: readonly number[] = []
  let homes: Homes = {}
  let unfinished: readonly number[] = []
  let ledger: string | undefined
  let last = since
  let renewals = 0
  let lost: string | undefined
  let inLine: Promise<void> = Promise.resolve()

  const loseBecause = (reason: string): LeaseLost => {
    lost = reason
    return new LeaseLost(pool, reason)
  }

  const ageMs = () => Math.max(clock.now() - last.wall, clock.monotonic() - last.monotonic)

  /** A newer lease means that another run took over, even if ours has not been deleted yet. */
  const confirmNewest = async (signal: AbortSignal): Promise<void> => {
    const [newest] = await listLeases(pools, pool, signal)
    if (newest?.number !== number) throw loseBecause('another run took over the lease')
  }

  /** After a long silence another run may take over during the renewal: it sees the new note, or its lease is seen afterwards. */
  const renewNow = async (signal: AbortSignal): Promise<void> => {
    const asked = { wall: clock.now(), monotonic: clock.monotonic() }
    const wasSilent = ageMs() > freshForMs
    await confirmNewest(signal)
    try {
      await pools.setComment(
        id,
        writeNote(holder, { intent: [...vmids], homes, unfinished, ledger }, ++renewals),
        signal,
      )
    } catch (thrown) {
      throw isProxmoxError(thrown, 'absent') ? loseBecause('the lease was deleted') : thrown
    }
    if (wasSilent) await confirmNewest(signal)
    last = asked
  }

  /** One at a time: an older note must never arrive after a newer one. */
  const renew = (signal: AbortSignal): Promise<void> => {
    const mine = inLine.then(() => renewNow(signal))
    inLine = mine.catch(() => undefined)
    return mine
  }

  const keepRenewing = async (): Promise<void> => {
    const unhurried = new AbortController().signal
    for (let pause = renewEveryMs; lost === undefined; ) {
      await clock.sleep(pause, over.signal)
      pause = await renew(unhurried).then(
        () => renewEveryMs,
        () => retryAfterMs,
      )
    }
  }
  keepRenewing().catch(() => undefined)

  const giveBack = async (end: LeaseEnd | undefined, signal: AbortSignal): Promise<void> => {
    if (end === undefined) return pools.setComment(id, freeNote({ intent: claims, homes, unfinished, ledger }), signal)
    if (end.remove === 'nothing') {
      const left = { intent: [...vmids], homes, unfinished: [...unfinished, number], ledger }
      return pools.setComment(id, freeNote(left), signal)
    }
    await pools.remove(id, signal)
    if (end.remove === 'lease') return
    await resume(pools, pool, signal)
    const around = await pools.find(pool, signal)
    if (around?.comment === ownPoolComment) await pools.remove(pool, signal)
  }

  return {
    number,
    holder,
    get intent() {
      return [...vmids].sort((one, other) => one - other)
    },
    declare: async (more, signal) => {
      const fresh = more.filter((vmid) => !vmids.has(vmid))
      for (const vmid of fresh) vmids.add(vmid)
      // VMIDs that are already recorded were written before their first claim.
      if (fresh.length > 0) await renew(signal)
    },
    keepClaims: (kept) => {
      claims = kept
    },
    rememberHomes: async (now, signal) => {
      if (canonicalJson(now) === canonicalJson(homes)) return
      homes = now
      await renew(signal)
    },
    rememberUnfinished: async (leases, signal) => {
      if (leases.join() === unfinished.join()) return
      unfinished = leases
      await renew(signal)
    },
    get ledger() {
      return ledger
    },
    rememberLedger: async (now, signal) => {
      if (now === ledger) return
      ledger = now
      await renew(signal)
    },
    assertFresh: () => {
      if (lost !== undefined) throw new LeaseLost(pool, lost)
      const age = ageMs()
      if (age > freshForMs) {
        throw new LeaseLost(pool, `its lease was last renewed ${Math.round(age / 1000)} seconds ago`)
      }
    },
    release: async (end) => {
      over.abort(new Error('the lease was released'))
      await inLine
      // The next run can handle a lease that was not released: its holder no longer runs.
      if (lost === undefined) await giveBack(end, AbortSignal.timeout(20_000)).catch(() => undefined)
    },
  }
}
