export interface ErrorDetails {
  readonly where: string
  readonly fix: string
  readonly cause?: unknown
}

/** An error we meant to show: what is wrong, where it is, and what to do about it. Never holds a secret. */
export abstract class UserFacingError extends Error {
  abstract readonly code: string
  abstract readonly exitCode: number
  readonly where: string
  readonly fix: string

  constructor(problem: string, { where, fix, cause }: ErrorDetails) {
    super(problem, { cause })
    this.name = new.target.name
    this.where = where
    this.fix = fix
  }
}

/** The command line was not understood. */
export class UsageError extends UserFacingError {
  readonly code: string = 'usage'
  readonly exitCode = 2
}

/** We could, but it would harm the cluster or somebody else's machines; nothing was changed. */
export class PlanRefused extends UserFacingError {
  readonly code: string = 'refused'
  readonly exitCode = 3
}

/** Everything that could be done is done, and something that is wanted could not be seen or reached. */
export class Incomplete extends UserFacingError {
  readonly code: string = 'incomplete'
  readonly exitCode = 1
}

/** A file on the operator's own machine: it cannot be read or written, or does not hold what it should. */
export class FileError extends UserFacingError {
  readonly code: string = 'file'
  readonly exitCode = 1
}

/** The user stopped the run; says what was finished and what was left. */
export class Cancelled extends UserFacingError {
  readonly code: string = 'cancelled'
  readonly exitCode = 130
}

/** A verb that is designed and not built yet. */
export class NotBuiltYet extends UserFacingError {
  readonly code: string = 'not-built-yet'
  readonly exitCode = 1
}

/** The words of anything that was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
