import { randomUUID } from 'node:crypto'
import { reasonOf, UserFacingError } from '../../errors.js'
import type { AnnouncedStep, Emit, Outcome } from '../../events.js'

/** Does one of the announced steps; `note` reports how it goes. */
export type DoStep = <T>(id: string, run: (note: (text: string) => void) => Promise<T>) => Promise<T>

export interface AnnouncedRun {
  readonly cluster: string
  readonly steps: readonly Pick<AnnouncedStep, 'id' | 'title'>[]
  readonly signal: AbortSignal
}

/** A run whose steps follow one another: emits what every run emits, whatever happens in it. */
export async function reportedRun<T>(
  emit: Emit,
  { cluster, steps, signal }: AnnouncedRun,
  work: (step: DoStep) => Promise<{ readonly result: T; readonly outcome: Outcome; readonly changed: number }>,
): Promise<T> {
  const at = () => new Date().toISOString()
  const announced = steps.map(({ id, title }, index) => ({
    id,
    kind: id,
    title,
    after: steps.slice(Math.max(0, index - 1), index).map((step) => step.id),
  }))
  emit({ type: 'run.started', at: at(), run: randomUUID(), cluster, steps: announced })
  const step: DoStep = async (id, run) => {
    const started = performance.now()
    emit({ type: 'step.started', at: at(), step: id, attempt: 1 })
    try {
      const result = await run((text) => emit({ type: 'step.noted', at: at(), step: id, text }))
      emit({ type: 'step.finished', at: at(), step: id, ms: Math.round(performance.now() - started), outcome: 'done' })
      return result
    } catch (thrown) {
      const { where, fix } = thrown instanceof UserFacingError ? thrown : { where: '', fix: '' }
      emit({ type: 'step.failed', at: at(), step: id, problem: reasonOf(thrown), where, fix })
      throw thrown
    }
  }
  try {
    const { result, outcome, changed } = await work(step)
    emit({ type: 'run.finished', at: at(), outcome, changed })
    return result
  } catch (thrown) {
    emit({ type: 'run.finished', at: at(), outcome: signal.aborted ? 'cancelled' : outcomeOf(thrown), changed: 0 })
    throw thrown
  }
}

function outcomeOf(thrown: unknown): Outcome {
  return thrown instanceof UserFacingError && thrown.exitCode === 3 ? 'refused' : 'failed'
}
