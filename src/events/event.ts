import type { PlanView } from './plan-view.js'
import type { StepLimit } from './step-limit.js'

export type Outcome =
  | 'done'
  | 'nothing-to-do'
  | 'incomplete'
  | 'paused'
  | 'refused'
  | 'declined'
  | 'failed'
  | 'cancelled'

/** An event of a run, before it is numbered. */
export type NewEvent =
  | {
      type: 'run.started'
      at: string
      /** Version of the events, as in `--json`. */
      version: 1
      cluster: string
      /** `up`, `destroy`, `backup` and so on. */
      goal: string
      /** How many of the steps change something. */
      changes: number
      steps: AnnouncedStep[]
      /** What the user agreed to; a run without a plan, such as a backup, has none. */
      plan?: PlanView
    }
  | { type: 'round.started'; at: string; round: number; steps: AnnouncedStep[] }
  | { type: 'step.started'; at: string; step: string; attempt: number }
  | { type: 'step.noted'; at: string; step: string; text: string }
  /** It is blocked: by an offline host, by the turn of others, or, as step `lease`, by another holder of the lease. */
  | { type: 'step.waiting'; at: string; step: string; for: string; since: string }
  | { type: 'step.failed'; at: string; step: string; problem: string; where: string; fix: string; retryInMs?: number }
  /** A change under test could not be verified, and was undone. */
  | { type: 'step.undone'; at: string; step: string; reason: string }
  | { type: 'step.finished'; at: string; step: string; ms: number; outcome: 'done' | 'already-done' }
  /** `isInPlan`: a note of the plan, which a terminal shows with it. */
  | { type: 'run.noted'; at: string; text: string; severity: 'info' | 'warning'; isInPlan?: true }
  | {
      type: 'run.finished'
      at: string
      outcome: Outcome
      changed: number
      ms: number
      /** IDs of steps that failed. */
      failed: string[]
      /** What to do next, for users. */
      next: string[]
    }

/** The events of a run, for the terminal, `--json`, the journal and the dashboard. */
export type RunEvent = NewEvent & {
  /** The ID of the run, also in its journal and its lease. */
  readonly run: string
  /** 1 for the first event of the run, then consecutive. */
  readonly seq: number
}

export interface AnnouncedStep {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly after: readonly string[]
  /** The machine it concerns, if it is a single one: reporters draw a tree of machines. */
  readonly machine?: string
  /** A round begins when the one before it is done. */
  readonly round?: number
  readonly limits?: readonly StepLimit[]
}

export type Emit = (event: RunEvent) => void

/** Like `Emit`, for reporters that do not number their events. */
export type Report = (event: NewEvent) => void

/** Gives every event the ID of its run and its number. */
export function numbered(emit: Emit, run: string): Report {
  let seq = 0
  return (event) => emit({ ...event, run, seq: ++seq })
}
