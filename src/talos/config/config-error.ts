import { UserFacingError } from '../../errors.js'

/** A machine config cannot be generated from the input. */
export class ConfigError extends UserFacingError {
  readonly code: string = 'talos-config'
  readonly exitCode = 2
}
