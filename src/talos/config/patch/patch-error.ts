import { UserFacingError } from '../../../errors.js'

/** A patch that cannot be applied, with its file and line. */
export class PatchError extends UserFacingError {
  readonly code: string = 'talos-patch'
  readonly exitCode = 2
}
