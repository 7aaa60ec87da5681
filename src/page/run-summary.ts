import type { Outcome } from '../events/event.js'

/** A run as its journal shows it. */
export interface RunSummary {
  /** The name of its journal. */
  readonly id: string
  readonly goal: string
  readonly started: string
  /** Of its last event. */
  readonly last: string
  /** `null`: its end is not recorded. It still runs, or was killed. */
  readonly outcome: Outcome | null
  /** From its start to its end, by the clock on the wall; a lab runs faster. */
  readonly ms: number | null
  readonly changed: number
  readonly steps: number
  readonly done: number
  readonly failed: number
}
