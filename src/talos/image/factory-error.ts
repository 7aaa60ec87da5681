import { UserFacingError } from '../../errors.js'

/** The Image Factory is unreachable or refuses. */
export class FactoryError extends UserFacingError {
  readonly code: string = 'factory'
  readonly exitCode = 1
}
