import type { GoalName } from './cluster/goal-name.js'
import type { Finding } from './findings/finding.js'

export interface ErrorDetails {
  readonly where: string
  readonly fix: string
  readonly cause?: unknown
}

/** An error for the user: problem, where, fix. Never contains a secret. */
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

interface RefusalDetails extends ErrorDetails {
  readonly findings: readonly Finding[]
  readonly blocks?: readonly GoalName[]
}

/** Possible, but it would harm the cluster or the machines of others; nothing was changed. */
export class PlanRefused extends UserFacingError {
  readonly code: string = 'refused'
  readonly exitCode = 3
  /** All that must be solved, in this order. */
  readonly findings: readonly Finding[]
  /** What else does not fit in the same observation, and may explain it. */
  beside: readonly Finding[] = []
  /** The goals that it blocks. Missing: every one. */
  readonly blocks?: readonly GoalName[]

  constructor(problem: string, { findings, blocks, ...details }: RefusalDetails) {
    super(problem, details)
    this.findings = findings
    if (blocks !== undefined) this.blocks = blocks
  }
}

/** Everything possible is done, but something could not be observed or reached. */
export class Incomplete extends UserFacingError {
  readonly code: string = 'incomplete'
  readonly exitCode = 1
}

/** A local file that cannot be read or written, or has the wrong content. */
export class FileError extends UserFacingError {
  readonly code: string = 'file'
  readonly exitCode = 1
}

/** The user stopped the run; reports what was finished and what is left. */
export class Cancelled extends UserFacingError {
  readonly code: string = 'cancelled'
  readonly exitCode = 130
}

/** The message of anything that was thrown. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
