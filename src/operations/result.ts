import type { Outcome } from '../events/event.js'

/** How a run ended. */
export interface Result {
  readonly outcome: Outcome
  /** Differences from the inventory that ichor does not change. */
  readonly left?: readonly string[]
  readonly changed: number
}
