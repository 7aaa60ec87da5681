import { PlanRefused, reasonOf, UserFacingError } from '../errors.js'
import type { PlannedStep } from '../plan/plan.js'
import type { StepContext } from '../steps/step.js'
import type { World } from '../world.js'
import type { Execution } from './execute.js'
import { interruptible } from './interruptible.js'
import { withReadCache } from './read-cache.js'
import { isHostDown } from './step-failed.js'
import { tryStep } from './try-step.js'
import { withGrace } from './with-grace.js'

const maxAttempts = 4
/** API servers restart and etcd elects leaders: how long a step waits for Kubernetes before it fails. */
const apiAway = { maxMs: 180_000, minAttempts: 6, pauseMs: 5_000 }

/**
 * Checks whether the step is done, runs it, and checks again before it fails: the result of a task is a hint, the state
 * decides.
 */
export async function attemptStep(step: PlannedStep, execution: Execution): Promise<'done' | 'already-done'> {
  if (!step.changes) return attemptUnder(execution.signal, step, execution)
  const grace = withGrace(execution.signal)
  try {
    return await attemptUnder(grace.signal, step, execution)
  } finally {
    grace.end()
  }
}

/** Each attempt gets its own cache of the world. */
type WithoutWorld = Omit<StepContext, keyof World>

async function attemptUnder(
  signal: AbortSignal,
  step: PlannedStep,
  execution: Execution,
): Promise<'done' | 'already-done'> {
  const started = execution.world.clock.monotonic()
  const context: Omit<WithoutWorld, 'attempt'> = {
    desired: execution.desired,
    observed: execution.observed,
    signal,
    note: (text) => execution.emit({ type: 'step.noted', at: now(execution), step: step.id, text }),
    waiting: (forWhat) => {
      const at = now(execution)
      execution.emit({ type: 'step.waiting', at, step: step.id, for: forWhat, since: at })
    },
    assertLease: execution.assertLease,
    endLease: execution.endLease,
    resolveAgain: execution.resolveAgain,
  }
  let awaited: string | undefined
  let awayFrom: number | undefined
  for (let attempt = 1; ; attempt++) {
    execution.emit({ type: 'step.started', at: now(execution), step: step.id, attempt })
    try {
      const outcome = await attemptOnce(step, execution, { ...context, attempt })
      const ms = Math.round(execution.world.clock.monotonic() - started)
      execution.emit({ type: 'step.finished', at: now(execution), step: step.id, ms, outcome })
      return outcome
    } catch (error) {
      // A step that was asked to stop has not failed: the end of the run reports it once.
      if (execution.signal.aborted) throw error
      const failedAt = execution.world.clock.monotonic()
      awayFrom = isApiAway(error) ? (awayFrom ?? failedAt) : undefined
      const delay = retryDelay(error, attempt, failedAt - (awayFrom ?? failedAt))
      execution.emit({
        type: 'step.failed',
        at: now(execution),
        step: step.id,
        ...reported(error),
        ...(delay === undefined ? {} : { retryInMs: delay }),
      })
      if (delay === undefined) throw error
      const absent = absentIn(error)
      if (absent !== undefined && absent !== awaited) context.waiting(absent)
      awaited = absent
      await execution.world.clock.sleep(delay, execution.signal)
    }
  }
}

async function attemptOnce(
  { id, kind, args }: PlannedStep,
  execution: Execution,
  given: WithoutWorld,
): Promise<'done' | 'already-done'> {
  const { world, forget } = withReadCache(execution.world)
  const assertLease = () => {
    forget()
    given.assertLease()
  }
  const context = { ...given, ...world, assertLease, clock: interruptible(world.clock, execution.signal) }
  const step = execution.stepOf(kind, args)
  if (await step.done(context)) return 'already-done'
  await step.guard(context)
  const onUndone = (reason: string) => execution.emit({ type: 'step.undone', at: now(execution), step: id, reason })
  try {
    if (step.trial === undefined) await step.run(context)
    // What is undone after a stop takes its time.
    else await tryStep(step, step.trial, execution.signal, { ...context, clock: world.clock }, onUndone)
    return 'done'
  } catch (error) {
    if (error instanceof PlanRefused || context.signal.aborted) throw error
    forget()
    const isDoneAfterAll = await step.done({ ...context, attempt: given.attempt + 1 }).catch(() => false)
    if (isDoneAfterAll) return 'done'
    throw error
  }
}

/** A config that changed, or a VM that moved, during the attempt: the next attempt reads both again. */
const readAgain: readonly unknown[] = ['changed', 'no-vm']

/** Refusals and stops are final, and so are errors that a retry cannot fix. */
function retryDelay(error: unknown, attempt: number, awayMs: number): number | undefined {
  if (error instanceof PlanRefused) return undefined
  if (isApiAway(error)) return awayMs < apiAway.maxMs || attempt < apiAway.minAttempts ? apiAway.pauseMs : undefined
  if (attempt >= maxAttempts) return undefined
  const failure = error as { isTransient?: unknown; kind?: unknown }
  const isTransient = failure.isTransient === true || readAgain.includes(failure.kind)
  return isTransient ? 1000 * 2 ** (attempt - 1) : undefined
}

/** What is waited for, in words. */
function absentIn(error: unknown): string | undefined {
  if (isHostDown(error)) return 'its Proxmox host, which does not answer'
  return isApiAway(error) ? 'the Kubernetes API, which does not answer' : undefined
}

function isApiAway(error: unknown): boolean {
  return (error as { isApiAway?: unknown }).isApiAway === true
}

function reported(error: unknown): { problem: string; where: string; fix: string } {
  if (error instanceof UserFacingError) return { problem: error.message, where: error.where, fix: error.fix }
  return { problem: reasonOf(error), where: '', fix: '' }
}

function now({ world }: Execution): string {
  return new Date(world.clock.now()).toISOString()
}
