import { UserFacingError } from '../../errors.js'

/** A machine config cannot be made of what was asked for. */
export class ConfigError extends UserFacingError {
  readonly code: string = 'talos-config'
  readonly exitCode = 2
}
