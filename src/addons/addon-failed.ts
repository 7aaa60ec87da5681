import { UserFacingError } from '../errors.js'

/** An addon could not be installed, removed or read; the rest of the cluster is unchanged. */
export class AddonFailed extends UserFacingError {
  readonly code: string = 'addon'
  readonly exitCode = 1
}
