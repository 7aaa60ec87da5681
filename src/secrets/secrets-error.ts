import { UserFacingError } from '../errors.js'

/** The secrets of a cluster cannot be read, decrypted, checked or stored. Never contains a secret. */
export class SecretsError extends UserFacingError {
  readonly code: string = 'secrets'
  readonly exitCode = 1
}
