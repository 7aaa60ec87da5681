import { inSeconds } from '../cluster/in-seconds.js'
import { reasonOf, UserFacingError } from '../errors.js'
import type { World } from '../world.js'
import type { Check, CheckResult, HealthContext } from './check.js'

export interface Waiting {
  readonly world: Pick<World, 'talos' | 'kubernetes' | 'clock'>
  readonly timeoutMs: number
  /** 5 s by default. */
  readonly intervalMs?: number
  /** Receives "dev-cp-1: etcd to be healthy (12 s, last: connection refused)" after every negative result. */
  readonly onWait?: (text: string) => void
}

/** A check did not become true in time. */
class NotHealthy extends UserFacingError {
  readonly code: string = 'not-healthy'
  readonly exitCode = 1
}

/** Polls until the check is true or does not apply; the last error is the reason. */
export async function waitFor(check: Check, waiting: Waiting, signal: AbortSignal): Promise<CheckResult> {
  const { clock } = waiting.world
  const started = clock.monotonic()
  for (;;) {
    const result = await runCheck(check, { world: waiting.world, signal })
    if (!('ok' in result) || result.ok) return result
    const waited = clock.monotonic() - started
    const text = `${check.name} (${inSeconds(waited, clock)}, last: ${result.reason})`
    if (waited >= waiting.timeoutMs) throw notHealthy(check, text)
    waiting.onWait?.(text)
    await clock.sleep(waiting.intervalMs ?? 5000, signal)
  }
}

/** One result. A check that cannot run is not healthy, with the error as the reason. */
async function runCheck(check: Check, context: HealthContext): Promise<CheckResult> {
  context.signal.throwIfAborted()
  try {
    return await check.run(context)
  } catch (thrown) {
    context.signal.throwIfAborted()
    return { ok: false, reason: reasonOf(thrown) }
  }
}

function notHealthy(check: Check, text: string): NotHealthy {
  return new NotHealthy(`Waited without success for ${text}.`, {
    where: check.name,
    fix: 'Check the logs of the nodes (ichor logs, ichor dmesg), then run ichor health again.',
  })
}
