import { reasonOf, UserFacingError } from '../errors.js'
import type { BoundStep, StepContext } from '../steps/step.js'

/** The change was not verified to do no harm. */
class NotProven extends UserFacingError {
  readonly code = 'not-proven'
  readonly exitCode = 1
}

type Trial = NonNullable<BoundStep['trial']>

/**
 * Makes a change that may cut off our access, and keeps it once it is verified. Otherwise it is undone, also within the
 * grace period of a stopped run. A change that cannot be undone now is recorded on the object, and the next run undoes
 * it.
 */
export async function tryStep(
  step: BoundStep,
  trial: Trial,
  /** Of the run: unlike the step, the proof ends with it at once. */
  signal: AbortSignal,
  context: StepContext,
  onUndone: (reason: string) => void,
): Promise<void> {
  try {
    await step.run(context)
    await trial.prove({ ...context, signal })
    await trial.keep(context)
  } catch (thrown) {
    const isUndone = await trial.undo(context).catch((reason: unknown) => {
      context.note(`it could not be reverted: ${reasonOf(reason)}. The next run reverts it.`)
      return false
    })
    if (!isUndone) throw thrown
    onUndone(reasonOf(thrown))
    throw isTransient(thrown) ? thrown : notProven(thrown)
  }
}

function isTransient(thrown: unknown): boolean {
  return (thrown as { isTransient?: unknown }).isTransient === true
}

function notProven(cause: unknown): NotProven {
  const { where, fix } = cause instanceof UserFacingError ? cause : { where: '', fix: '' }
  const reason = reasonOf(cause)
  return new NotProven(`The change was rolled back: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`, {
    where,
    fix,
    cause,
  })
}
