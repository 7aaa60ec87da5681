import { inSeconds } from '../cluster/in-seconds.js'
import { reasonOf, UserFacingError } from '../errors.js'
import { watchHost } from './host-watch.js'
import type { WorkContext } from './work-context.js'

/** A wait timed out; reports what was expected and the last result. */
class WaitTimeout extends UserFacingError {
  readonly code = 'timeout'
  readonly exitCode = 1
}

export interface Wait {
  /** "dev-cp-1 to respond on its authenticated API". */
  readonly forWhat: string
  readonly where: string
  readonly timeoutMs: number
  readonly intervalMs: number
  readonly fix: string
  /** The wait needs this machine and ends at once if its host is offline. */
  readonly machine?: string
  /**
   * The minimum number of attempts, 150 by default: a computer that slept or was busy has not waited, so time alone
   * does not end the wait.
   */
  readonly minAttempts?: number
}

/** Most waits are short: the host is checked only if one is not. */
const lookAtHostAfterMs = 3000

const usualAttempts = 150

/**
 * Polls until the result is not `undefined`. Errors count as "not yet" and are reported as the last reason, unless
 * `isFinal` decides that polling is pointless.
 */
export async function waitUntil<T>(
  wait: Wait,
  ask: () => Promise<T | undefined>,
  context: WorkContext,
  isFinal: (thrown: unknown) => boolean = () => false,
): Promise<T> {
  const { clock } = context
  const started = clock.monotonic()
  const assertHost = wait.machine === undefined ? undefined : watchHost(wait.machine, context)
  let last: string | undefined
  let reported: string | undefined
  let asked = 0
  for (;;) {
    context.signal.throwIfAborted()
    const askedAt = performance.now()
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (thrown) {
      if (context.signal.aborted || isFinal(thrown)) throw thrown
      last = reasonOf(thrown)
    }
    const waited = clock.monotonic() - started
    if (waited > lookAtHostAfterMs) await assertHost?.()
    asked += weightOf(performance.now() - askedAt, wait)
    if (waited > wait.timeoutMs && asked >= (wait.minAttempts ?? usualAttempts))
      throw waitTimeout(wait, inSeconds(waited, clock), last)
    if (last !== reported) context.note(`waiting for ${wait.forWhat} (${inSeconds(waited, clock)}, last: ${last})`)
    reported = last
    await clock.sleep(wait.intervalMs, context.signal)
  }
}

/** A minute of questions that are left open, as by a node or a host that hangs, counts as much as all that would be answered at once. */
const openQuestionsMs = 60_000

function weightOf(questionMs: number, { minAttempts = usualAttempts }: Wait): number {
  return Math.max(1, (minAttempts * questionMs) / openQuestionsMs)
}

function waitTimeout({ forWhat, where, fix }: Wait, waited: string, last: string | undefined): WaitTimeout {
  const reason = last === undefined ? '.' : `; the last answer was: ${last}`
  return new WaitTimeout(`Waited ${waited} for ${forWhat}${reason}`, { where, fix })
}
