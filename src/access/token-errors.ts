import { UserFacingError } from '../errors.js'

/** A token was created but is not used; the old one still is. */
export class TokenNotKept extends UserFacingError {
  readonly code = 'token-not-kept'
  readonly exitCode = 1

  constructor(problem: string, where: string) {
    super(problem, { where, fix: 'The old token still works. Run ichor access --renew again.' })
  }
}
