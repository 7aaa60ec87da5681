import { UserFacingError } from '../errors.js'

/** One step could not be done; says what it was and how to go on. */
export class StepFailed extends UserFacingError {
  readonly code = 'step-failed'
  readonly exitCode = 1
}
