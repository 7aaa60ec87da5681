import { reasonOf, UserFacingError } from '../errors.js'
import type { AnnouncedStep, Outcome } from '../events/event.js'
import { openRunLog, type Sink } from './run-log.js'
import type { Session } from './session.js'

/** Runs one of the announced steps; `note` reports progress. */
export type DoStep = <T>(id: string, run: (note: (text: string) => void) => Promise<T>) => Promise<T>

export interface AnnouncedRun {
  /** The command: `backup`, `drill`. */
  readonly goal: string
  readonly steps: readonly Pick<AnnouncedStep, 'id' | 'title'>[]
  readonly sinks: readonly Sink[]
  readonly signal: AbortSignal
}

/** A run with sequential steps, which emits the events of every run, however it ends. */
export async function reportedRun<T>(
  session: Pick<Session, 'inventory' | 'onNotice'>,
  { goal, steps, sinks, signal }: AnnouncedRun,
  work: (
    step: DoStep,
    run: string,
  ) => Promise<{ readonly result: T; readonly outcome: Outcome; readonly changed: number }>,
): Promise<T> {
  const { emit, run: id } = openRunLog(session, sinks)
  const { cluster_name: cluster } = session.inventory.settings
  const at = () => new Date().toISOString()
  const announced = steps.map(({ id, title }, index) => ({
    id,
    kind: id,
    title,
    after: steps.slice(Math.max(0, index - 1), index).map((step) => step.id),
  }))
  const begun = performance.now()
  const failed: string[] = []
  emit({ type: 'run.started', at: at(), version: 1, cluster, goal, changes: 0, steps: announced })
  const finish = (outcome: Outcome, changed: number, next: string[]) => {
    const ms = Math.round(performance.now() - begun)
    emit({ type: 'run.finished', at: at(), outcome, changed, ms, failed, next })
  }
  const step: DoStep = async (id, run) => {
    const started = performance.now()
    emit({ type: 'step.started', at: at(), step: id, attempt: 1 })
    try {
      const result = await run((text) => emit({ type: 'step.noted', at: at(), step: id, text }))
      emit({ type: 'step.finished', at: at(), step: id, ms: Math.round(performance.now() - started), outcome: 'done' })
      return result
    } catch (thrown) {
      const { where, fix } = thrown instanceof UserFacingError ? thrown : { where: '', fix: '' }
      failed.push(id)
      emit({ type: 'step.failed', at: at(), step: id, problem: reasonOf(thrown), where, fix })
      throw thrown
    }
  }
  try {
    const { result, outcome, changed } = await work(step, id)
    finish(outcome, changed, [])
    return result
  } catch (thrown) {
    finish(signal.aborted ? 'cancelled' : outcomeOf(thrown), 0, thrown instanceof UserFacingError ? [thrown.fix] : [])
    throw thrown
  }
}

function outcomeOf(thrown: unknown): Outcome {
  return thrown instanceof UserFacingError && thrown.exitCode === 3 ? 'refused' : 'failed'
}
