import { deepPool } from '../findings/refusals/inventory.js'
import { hiddenPool } from '../findings/refusals/proxmox.js'
import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import type { Clock } from '../world.js'
import { holdLease, type Lease } from './held-lease.js'
import { type Holder, localProcesses, type ProcessProbe } from './holder.js'
import { LeaseHeld } from './lease-error.js'
import { freeNote, type Homes, type LeaseNote, type Remembered, readNote, writeNote } from './lease-note.js'
import { type LeasePool, leaseId, leasesAmong, listLeases, ownPoolComment, type Pools } from './lease-pools.js'

export interface LeaseRequest {
  readonly pools: Pools
  readonly clock: Clock
  /** The pool of the cluster; created if it does not exist. */
  readonly pool: string
  readonly run: string
  readonly intent: readonly number[]
  readonly signal: AbortSignal
  /** `--force-unlock`: the user declares the current holder dead. */
  readonly force?: boolean
  readonly probe?: ProcessProbe
  /** Called once if there is a holder to wait for. */
  readonly onWait?: (holder: Holder | undefined) => void
}

/** A holder renews every minute; without a renewal for this long, by our own clock, it counts as dead. */
const deadAfterMs = 180_000
const lookEveryMs = 5000
const longestWaitMs = 600_000

/**
 * Creating a pool is atomic across the Proxmox cluster, so taking the lease means creating the child pool with the next
 * number: there is one winner. A running holder is respected, a dead one is replaced.
 */
export async function takeLease(request: LeaseRequest): Promise<Lease> {
  refuseDeepPool(request.pool)
  const { clock, probe = localProcesses } = request
  const holder = await probe.self(request.run)
  const judge = createJudge(request, probe)
  const started = clock.monotonic()
  let isReported = false
  for (;;) {
    const current = await findCurrent(request)
    const note = readNote(current?.comment ?? freeNote())
    const verdict = await judge(current, note)
    if (verdict === 'free') {
      const won = await tryToTake(request, holder, current)
      if (won !== undefined) return won
    }
    const other = note.kind === 'held' ? note.holder : undefined
    if (verdict === 'alive' || clock.monotonic() - started > longestWaitMs) throw new LeaseHeld(request.pool, other)
    if (verdict === 'silent' && !isReported) request.onWait?.(other)
    isReported ||= verdict === 'silent'
    await clock.sleep(lookEveryMs, request.signal)
  }
}

async function findCurrent({ pools, pool, signal }: LeaseRequest): Promise<LeasePool | undefined> {
  const all = await pools.list(signal)
  if (all.some(({ id }) => id === pool)) return leasesAmong(all, pool)[0]
  await pools.create(pool, ownPoolComment, signal)
  const again = await pools.list(signal)
  if (again.some(({ id }) => id === pool)) return leasesAmong(again, pool)[0]
  throw hiddenPool.refuse(`The pool ${pool} exists, but this token cannot see it.`, {
    subject: { kind: 'object', name: `pool ${pool}` },
    where: `pool ${pool} in Proxmox`,
    fix: `Grant the token Pool.Audit on /pool/${pool}; ichor access check reports what else it lacks.`,
  })
}

type Verdict = 'free' | 'alive' | 'silent'

/** Judges only by its own observations: a lease that changes is held; one that does not for long enough is free. */
function createJudge({ clock, force }: LeaseRequest, probe: ProcessProbe) {
  let first: LeasePool | undefined
  let since = 0
  return async (current: LeasePool | undefined, note: LeaseNote): Promise<Verdict> => {
    if (current === undefined || note.kind === 'free') return 'free'
    if (note.kind === 'held' && (await probe.isGone(note.holder))) return 'free'
    if (first === undefined) {
      first = current
      since = clock.monotonic()
    }
    // The user declared the previous holder dead, not one that has just won the race.
    if (force && current.number === first.number) return 'free'
    if (note.kind === 'held' && (await probe.isHere?.(note.holder))) return 'alive'
    if (current.id !== first.id || current.comment !== first.comment) return 'alive'
    return clock.monotonic() - since >= deadAfterMs ? 'free' : 'silent'
  }
}

/**
 * `undefined` if another run was faster, or if the previous holder has renewed its lease after all. Its intent is recorded before its
 * lease is deleted.
 */
async function tryToTake(
  request: LeaseRequest,
  holder: Holder,
  previous: LeasePool | undefined,
): Promise<Lease | undefined> {
  const { pools, pool, clock, signal, intent } = request
  const number = (previous?.number ?? 0) + 1
  const since = { wall: clock.now(), monotonic: clock.monotonic() }
  const isOurs = await createAsOurs(
    pools,
    leaseId(pool, number),
    writeNote(holder, { intent, homes: {}, unfinished: [] }, 0),
    signal,
  )
  if (!isOurs) return undefined
  const lease = holdLease({ pools, pool, clock, number, holder, since, intent })
  try {
    const older = (await listLeases(pools, pool, signal)).filter((other) => other.number < number)
    if (!request.force && isRenewed(previous, older)) {
      await lease.release({ remove: 'lease' })
      return undefined
    }
    await lease.declare(
      older.flatMap((one) => rememberedIn(one).intent),
      signal,
    )
    await lease.rememberHomes(homesOf(older), signal)
    await lease.rememberUnfinished(unfinishedOf(older), signal)
    await lease.rememberLedger(ledgerOf(older), signal)
    for (const { id } of older) await pools.remove(id, signal)
    return lease
  } catch (thrown) {
    await lease.release({ remove: 'nothing' })
    throw thrown
  }
}

function isRenewed(previous: LeasePool | undefined, leases: readonly LeasePool[]): boolean {
  return leases.some(({ id, comment }) => id === previous?.id && comment !== previous.comment)
}

/** The holder of this pool's lease, unless this computer can determine that it no longer runs. */
export async function findLiveHolder(
  pools: readonly { id: string; comment: string }[],
  pool: string,
  probe: ProcessProbe = localProcesses,
): Promise<Holder | undefined> {
  const [current] = leasesAmong(pools, pool)
  const note = readNote(current?.comment ?? freeNote())
  if (note.kind !== 'held') return undefined
  return (await probe.isGone(note.holder)) ? undefined : note.holder
}

/** Every VMID that a run of this cluster may have claimed, from the leases among these pools. */
export function intentIn(pools: readonly { id: string; comment: string }[], pool: string): number[] {
  return leasesAmong(pools, pool).flatMap((lease) => rememberedIn(lease).intent)
}

/** The hosts that machines without a VM return to, from the leases among these pools. */
export function homesIn(pools: readonly { id: string; comment: string }[], pool: string): Homes {
  return homesOf(leasesAmong(pools, pool))
}

/** A newer lease takes precedence. */
function homesOf(leases: readonly LeasePool[]): Homes {
  return Object.assign({}, ...leases.toReversed().map((lease) => rememberedIn(lease).homes))
}

/** The numbers of leases whose runs may have left requests in marks, from the leases among these pools. */
export function unfinishedIn(pools: readonly { id: string; comment: string }[], pool: string): number[] {
  return unfinishedOf(leasesAmong(pools, pool))
}

/** A lease that is held, and those that were unfinished when it was taken. */
function unfinishedOf(leases: readonly LeasePool[]): number[] {
  const numbers = leases.flatMap((lease) => {
    const isFree = readNote(lease.comment).kind === 'free'
    return [...rememberedIn(lease).unfinished, ...(isFree ? [] : [lease.number])]
  })
  return [...new Set(numbers)].sort((one, other) => one - other)
}

/** What acting on this cluster must not forget, and the number of its newest lease, from the leases among these pools. */
export function ledgerIn(
  pools: readonly { id: string; comment: string }[],
  pool: string,
): { readonly number: number; readonly ledger: string | undefined } {
  const leases = leasesAmong(pools, pool)
  return { number: leases[0]?.number ?? 0, ledger: ledgerOf(leases) }
}

/** The newest: a run that was killed while it took its lease has not copied it yet. */
function ledgerOf(leases: readonly LeasePool[]): string | undefined {
  return leases.map((lease) => rememberedIn(lease).ledger).find((ledger) => ledger !== undefined)
}

function rememberedIn({ comment }: LeasePool): Remembered {
  const note = readNote(comment)
  return note.kind === 'unreadable' ? { intent: [], homes: {}, unfinished: [] } : note
}

/** If the response to the creation is lost, the comment shows whose it is. */
async function createAsOurs(pools: Pools, id: string, note: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await pools.create(id, note, signal)
  } catch (thrown) {
    if (!isProxmoxError(thrown) || thrown.outcome !== 'unknown') throw thrown
    const found = await pools.find(id, signal)
    if (found === undefined) throw thrown
    return found.comment === note
  }
}

function refuseDeepPool(pool: string): void {
  if (pool.split('/').length < 3) return
  throw deepPool.refuse(
    `The pool ${pool} is nested too deep: Proxmox allows three levels, and the lease is a pool inside it.`,
    {
      subject: { kind: 'inventory', name: 'proxmox.pool' },
      where: 'proxmox.pool',
      fix: 'Choose a pool on the first or second level.',
    },
  )
}
