import { setMaxListeners } from 'node:events'
import type { StepRegistry } from '../capabilities/steps.js'
import type { Desired } from '../desired/desired.js'
import { Cancelled, PlanRefused, reasonOf, UserFacingError } from '../errors.js'
import type { Report } from '../events/event.js'
import type { Observed } from '../observe/observed.js'
import type { PlannedStep } from '../plan/plan.js'
import type { World } from '../world.js'
import { attemptStep } from './attempt.js'
import { createSchedule, type Schedulable } from './schedule.js'
import { StepFailed } from './step-failed.js'

export interface Execution {
  readonly desired: Desired
  readonly observed: Observed
  readonly world: World
  readonly stepOf: StepRegistry
  readonly emit: Report
  /** The user stops the run: no new step starts, and running ones may finish their call. */
  readonly signal: AbortSignal
  assertLease(): void
  endLease(): Promise<void>
  /** Replaces `desired` from here on. */
  resolveAgain(): Promise<void>
  /** Asked before the first step of each machine; a reason ends the round once everything that has begun is done. */
  mayBegin?(): Promise<string | undefined>
  /** Called for each change, even in a round that fails later. */
  onChange(): void
  /** Number of steps in earlier rounds, and in all rounds. */
  readonly steps: { readonly before: number; readonly total: number }
}

type Scheduled = PlannedStep & Schedulable

/**
 * Runs one round: starts every unblocked step, reports events, and throws if a step could not be done. Returns why it
 * ended early, if nothing more may begin.
 */
export async function execute(steps: readonly PlannedStep[], execution: Execution): Promise<string | undefined> {
  const schedule = createSchedule(
    steps.map((step) => scheduled(step, execution)),
    (step) => reportTurn(step, execution),
  )
  const running = new Set<Promise<void>>()
  setMaxListeners(0, execution.signal)
  const failures: { step: PlannedStep; error: unknown }[] = []

  const start = (step: Scheduled) => {
    const work = attemptStep(step, execution).then(
      (outcome) => {
        if (outcome === 'done' && step.changes) execution.onChange()
        schedule.finish(step.id)
      },
      (error: unknown) => {
        failures.push({ step, error })
        schedule.fail(step.id)
      },
    )
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  const gate = createGate(execution)
  while (running.size > 0 || !schedule.isOver) {
    if (!execution.signal.aborted)
      for (let next = schedule.take(); next !== undefined; next = schedule.take()) {
        if (await gate.isOpenFor(next)) start(next)
        // What depends on it does not run, and no other chain enters its turn.
        else schedule.fail(next.id)
      }
    if (running.size === 0) break
    await Promise.race(running)
  }
  throwIfUnfinished(failures, schedule.left(), execution.steps.before + steps.length, execution)
  return gate.closedBecause()
}

/** A machine, or a chain of steps, that has begun is finished; nothing else begins once the gate is closed. */
function createGate({ mayBegin }: Execution) {
  const begun = new Set<string>()
  let closed: string | undefined
  return {
    isOpenFor: async ({ id, turn, machine }: Scheduled): Promise<boolean> => {
      // A prepared machine has not begun its turn; one in its turn is finished with all its steps.
      const alone = `machine ${machine ?? id}`
      const chain = turn === undefined ? alone : `turn ${turn.name} ${turn.chain}`
      if (mayBegin === undefined || begun.has(chain)) return true
      closed ??= await mayBegin()
      if (closed === undefined) begun.add(chain).add(alone)
      return closed === undefined
    },
    closedBecause: () => closed,
  }
}

/** All its dependencies are done, but others of its kind hold the turn. */
function reportTurn({ id }: Scheduled, { emit, world }: Execution): void {
  const at = new Date(world.clock.now()).toISOString()
  emit({ type: 'step.waiting', at, step: id, for: 'its turn', since: at })
}

function scheduled(step: PlannedStep, { desired, observed, stepOf }: Execution): Scheduled {
  const lane = stepOf(step.kind, step.args).lane(desired, observed)
  return { ...step, lanes: lane === undefined ? [] : [lane] }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function throwIfUnfinished(
  failures: readonly { step: PlannedStep; error: unknown }[],
  left: readonly PlannedStep[],
  begun: number,
  { signal, desired, steps: { total } }: Execution,
): void {
  const done = begun - left.length - failures.length
  if (signal.aborted) {
    throw new Cancelled(`Stopped. ${done} of ${total} steps are done, ${total - done} are left.`, {
      where: `cluster ${desired.cluster.name}`,
      fix: 'Run the same command again to continue.',
    })
  }
  const refused = failures.find(({ error }) => error instanceof PlanRefused)
  const first = refused ?? failures[0]
  if (first === undefined) return
  if (first.error instanceof PlanRefused) throw first.error
  const where = first.error instanceof UserFacingError ? first.error.where : `step ${first.step.id}`
  const fix = first.error instanceof UserFacingError ? `${sentence(first.error.fix)} ` : ''
  const others = failures.length > 1 ? ` ${failures.length - 1} more failed.` : ''
  const reason = reasonOf(first.error)
  throw new StepFailed(`${first.step.title}: ${sentence(reason)}${others}`, {
    where,
    fix: `${fix}${done} of ${total} steps are done${/again/.test(fix) ? '.' : '; run the same command again to continue.'}`,
    cause: first.error,
    causes: failures.map(({ error }) => error),
  })
}
