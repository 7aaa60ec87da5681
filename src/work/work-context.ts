import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import type { World } from '../world.js'

/** What work on a machine receives: the world, and what is wanted and was seen. */
export interface WorkContext extends World {
  readonly desired: Desired
  /** The state observed when the plan was made: a hint where to look first, never a proof. */
  readonly observed: Observed
  readonly signal: AbortSignal
  /** Starts at 1: an earlier attempt at this step may have left something incomplete. */
  readonly attempt: number
  /** A line of progress. */
  note(text: string): void
  /** The step is blocked by something outside its control: `host pve2, which is offline`. */
  waiting(forWhat: string): void
  /**
   * Called before each change; throws if the lease is no longer ours. Anything read before is read again afterwards.
   */
  assertLease(): void
}
