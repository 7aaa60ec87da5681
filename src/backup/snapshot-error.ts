import { type ErrorDetails, UserFacingError } from '../errors.js'

/** A snapshot store cannot be used, or a snapshot cannot be taken. */
export class BackupError extends UserFacingError {
  readonly code: string = 'backup'
  readonly exitCode = 1
}

export type SnapshotFault = 'truncated' | 'corrupt' | 'undecryptable' | 'foreign' | 'too-new' | 'old-key'

/** A snapshot that must not be restored; `code` identifies the problem. Nothing was changed. */
export class SnapshotRefused extends UserFacingError {
  readonly code: string
  readonly exitCode = 3
  readonly fault: SnapshotFault

  constructor(fault: SnapshotFault, problem: string, details: ErrorDetails) {
    super(problem, details)
    this.fault = fault
    this.code = `snapshot-${fault}`
  }
}
