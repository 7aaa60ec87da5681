import { UserFacingError } from '../errors.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { getOwned } from './owned-vm.js'

/** Proxmox HA was asked to move a VM and did not. */
class HaRefused extends UserFacingError {
  readonly code = 'ha-refused'
  readonly exitCode = 1
}

const minute = 60_000
/** The HA manager handles requests every ten seconds. */
const soon = 3 * minute
/** Two rounds of the manager, and the delay of its statistics: it has handled a request, or dropped it. */
const handledMs = 30_000
/** The manager drops requests for services in these states, although their task succeeds. */
const busy = new Set(['queued', 'request_start', 'request_start_balance', 'request_stop'])
const moving = new Set(['migrate', 'relocate'])
/** One move that was already running, our own, and a few attempts of the manager. */
const maxMoves = 5
const stuck = new Set(['error', 'fence', 'recovery'])

/** Waits until the HA manager takes requests for a machine. */
export async function awaitReadiness(machine: string, context: WorkContext): Promise<void> {
  await followReadiness(machine, () => stateOf(machine, context), context)
}

/**
 * A move of an HA resource is only a request: the HA manager moves the VM later, or drops the request silently. Then it
 * is requested again.
 */
export async function awaitManager(
  machine: string,
  to: string,
  request: () => Promise<unknown>,
  context: WorkContext,
): Promise<void> {
  await followMove({ machine, to }, () => stateOf(machine, context), request, context)
}

interface HaState {
  readonly host: string
  readonly state: string
}

async function stateOf(machine: string, context: WorkContext): Promise<HaState> {
  const { host, vmid } = await getOwned(machine, context)
  const { guests } = await context.proxmox.cluster.resources(context.signal)
  return { host, state: guests.find((guest) => guest.vmid === vmid)?.ha ?? 'unknown' }
}

/** @internal */
export async function followReadiness(
  machine: string,
  look: () => Promise<HaState>,
  context: WorkContext,
): Promise<void> {
  const forWhat = `Proxmox HA to finish with ${machine}`
  const wait = { where: `Proxmox HA, machine ${machine}`, forWhat, fix, timeoutMs: soon, intervalMs: 2000 }
  let isReported = false
  const ask = async () => {
    const { state } = await look()
    if (!busy.has(state) && !moving.has(state)) return state
    if (!isReported) context.waiting(`${forWhat}, which is ${state}`)
    isReported = true
    return undefined
  }
  await waitUntil({ ...wait, minAttempts: 60 }, ask, context)
}

/**
 * Whether the move has started or been abandoned, by the HA state of the resource. The state lags: right after one move
 * it still shows that one, so an ending state may not be ours.
 * @internal
 */
export async function followMove(
  { machine, to }: { readonly machine: string; readonly to: string },
  look: () => Promise<HaState>,
  request: () => Promise<unknown>,
  context: WorkContext,
): Promise<void> {
  const { clock } = context
  let last = 'unknown'
  let requestedAt = clock.monotonic()
  let moves = 0
  const requestAgain = async () => {
    if (moves > 0 || clock.monotonic() - requestedAt < handledMs) return
    requestedAt = clock.monotonic()
    context.waiting(`Proxmox HA to move ${machine} to ${to}: requested again, since it is still ${last}`)
    await request()
  }
  const ask = async () => {
    const { host, state } = await look()
    last = state
    if (host === to) return 'there'
    if (stuck.has(state)) throw refused(machine, to, `reports it in state ${state}`)
    if (moving.has(state)) return 'moving'
    await requestAgain()
    return 'still'
  }
  const wait = { where: `Proxmox HA, machine ${machine}`, forWhat: `Proxmox HA to move ${machine} to ${to}`, fix }
  context.waiting(wait.forWhat)
  const begin = { ...wait, timeoutMs: soon, intervalMs: 2000, minAttempts: 60 }
  // What the manager begins again after a failure, it begins in its next rounds.
  const beginAgain = { ...begin, timeoutMs: handledMs, minAttempts: 12 }
  const end = { ...wait, timeoutMs: 30 * minute, intervalMs: 2000 }
  const change = (from: string) => async () => {
    const now = await ask()
    return now === from ? undefined : now
  }
  for (; ; moves++) {
    const begun = await waitUntil(moves === 0 ? begin : beginAgain, change('still'), context, isFinal).catch(
      (thrown: unknown) => {
        if (!(thrown instanceof UserFacingError) || thrown.code !== 'timeout') throw thrown
        throw refused(machine, to, moves === 0 ? notBegun(last) : gaveUp(last), thrown)
      },
    )
    if (begun === 'there' || (await waitUntil(end, change('moving'), context, isFinal)) === 'there') return
    if (moves > maxMoves) throw refused(machine, to, gaveUp(last))
  }
}

function notBegun(state: string): string {
  return `has not started the move; its state is ${state}`
}

function gaveUp(state: string): string {
  return `began to move it and gave up: it is ${state} again`
}

const fix =
  'Look at Datacenter > HA and at the task log of the VM: the manager must be active, no rule may keep the resource where it is, and one in state error must be disabled and enabled again. Then run the command again.'

function refused(machine: string, to: string, what: string, cause?: unknown): HaRefused {
  return new HaRefused(`Proxmox HA was asked to move ${machine} to ${to}, and ${what}.`, {
    where: `Proxmox HA, machine ${machine}`,
    fix,
    ...(cause === undefined ? {} : { cause }),
  })
}

function isFinal(thrown: unknown): boolean {
  return thrown instanceof HaRefused
}
