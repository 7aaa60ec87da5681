import { inSeconds } from '../cluster/in-seconds.js'
import { reasonOf, UserFacingError } from '../errors.js'
import type { World } from '../world.js'
import { watchHost } from './host-watch.js'
import type { WorkContext } from './work-context.js'

/** What was waited for did not come in time; says what it was and what was last heard. */
class WaitTimeout extends UserFacingError {
  readonly code = 'timeout'
  readonly exitCode = 1
}

export interface Wait {
  /** "dev-cp-1 to answer on its secured API". */
  readonly forWhat: string
  readonly where: string
  readonly timeoutMs: number
  readonly intervalMs: number
  readonly fix: string
  /** What is waited for needs this machine: a wait ends at once when its host is offline. */
  readonly machine?: string
  /** A computer that slept or was busy has not waited: time alone does not make it give up. 150, unless said. */
  readonly fewestQuestions?: number
}

/** Waits are short, most of the time: a host is looked at only when one is not. */
const lookAtHostAfterMs = 3000

const usualQuestions = 150

/**
 * Asks until the answer is not `undefined`. What is thrown meanwhile counts as "not yet" and is reported as the last reason,
 * unless `isFinal` says that asking again cannot help.
 */
export async function waitUntil<T>(
  wait: Wait,
  ask: () => Promise<T | undefined>,
  world: World,
  context: WorkContext,
  isFinal: (thrown: unknown) => boolean = () => false,
): Promise<T> {
  const { clock } = world
  const started = clock.monotonic()
  const assertHost = wait.machine === undefined ? undefined : watchHost(wait.machine, world, context)
  let last: string | undefined
  let reported: string | undefined
  for (let asked = 1; ; asked++) {
    context.signal.throwIfAborted()
    try {
      const answer = await ask()
      if (answer !== undefined) return answer
    } catch (thrown) {
      if (context.signal.aborted || isFinal(thrown)) throw thrown
      last = reasonOf(thrown)
    }
    const waited = clock.monotonic() - started
    if (waited > lookAtHostAfterMs) await assertHost?.()
    if (waited > wait.timeoutMs && asked >= (wait.fewestQuestions ?? usualQuestions))
      throw waitTimeout(wait, inSeconds(waited, clock), last)
    if (last !== reported) context.note(`waiting for ${wait.forWhat} (${inSeconds(waited, clock)}, last: ${last})`)
    reported = last
    await clock.sleep(wait.intervalMs, context.signal)
  }
}

function waitTimeout({ forWhat, where, fix }: Wait, waited: string, last: string | undefined): WaitTimeout {
  const reason = last === undefined ? '.' : `; the last answer was: ${last}`
  return new WaitTimeout(`Waited ${waited} for ${forWhat}${reason}`, { where, fix })
}
