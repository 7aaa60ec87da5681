import { reasonOf, UserFacingError } from '../errors.js'
import type { BoundStep, StepContext } from '../steps/step.js'
import type { Execution } from './execute.js'

/** It was not seen that the change does no harm. */
class NotProven extends UserFacingError {
  readonly code = 'not-proven'
  readonly exitCode = 1
}

type Trial = NonNullable<BoundStep['trial']>

/**
 * Makes a change that may cut us off and keeps it once it is proven. Whatever else happens, it is taken back, in the time
 * that a stopped run has left, too; what cannot be taken back now is noted on the object, and the next run does it.
 */
export async function tryStep(
  step: BoundStep,
  trial: Trial,
  { world, signal }: Pick<Execution, 'world' | 'signal'>,
  context: StepContext,
  onUndone: (reason: string) => void,
): Promise<void> {
  try {
    await step.run(world, context)
    await trial.prove(world, { ...context, signal })
    await trial.keep(world, context)
  } catch (thrown) {
    const isUndone = await trial.undo(world, context).catch((reason: unknown) => {
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
  return new NotProven(`It was taken back: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`, { where, fix, cause })
}
