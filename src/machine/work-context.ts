import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'

/** What work on a machine is handed beside the world. */
export interface WorkContext {
  readonly desired: Desired
  /** What was seen when the plan was made: a hint where to look first, never a proof. */
  readonly observed: Observed
  readonly signal: AbortSignal
  /** Counted from 1: an earlier attempt at this step may have left something half done. */
  readonly attempt: number
  /** A line of progress. */
  note(text: string): void
  /** It goes no further for now because of something that it does not do itself: `host pve2, which is offline`. */
  waiting(forWhat: string): void
  /** Called before each change: throws when the lease is no longer ours. What was read before is read again afterwards. */
  assertLease(): void
}
