import { UserFacingError } from '../errors.js'

/** The secrets of a cluster cannot be read, opened, checked or kept. Never repeats any of them. */
export class SecretsError extends UserFacingError {
  readonly code: string = 'secrets'
  readonly exitCode = 1
}
