export type Outcome =
  | 'done'
  | 'nothing-to-do'
  | 'incomplete'
  | 'paused'
  | 'refused'
  | 'declined'
  | 'failed'
  | 'cancelled'

/** What happens in a run, before it has its place in the order of events. */
export type NewEvent =
  | {
      type: 'run.started'
      at: string
      /** Of the events, as in `--json`. */
      version: 1
      cluster: string
      /** `up`, `destroy`, `backup` and so on. */
      goal: string
      /** How many of the steps change something. */
      changes: number
      steps: AnnouncedStep[]
    }
  | { type: 'round.started'; at: string; round: number; steps: AnnouncedStep[] }
  | { type: 'step.started'; at: string; step: string; attempt: number }
  | { type: 'step.noted'; at: string; step: string; text: string }
  /** It does not go on by itself: an offline host, the turn of others, or, as step `lease`, somebody who holds the lease. */
  | { type: 'step.waiting'; at: string; step: string; for: string; since: string }
  | { type: 'step.failed'; at: string; step: string; problem: string; where: string; fix: string; retryInMs?: number }
  /** What was tried could not be proven, and is as it was before. */
  | { type: 'step.undone'; at: string; step: string; reason: string }
  | { type: 'step.finished'; at: string; step: string; ms: number; outcome: 'done' | 'already-done' }
  | { type: 'run.noted'; at: string; text: string; severity: 'info' | 'warning' }
  | {
      type: 'run.finished'
      at: string
      outcome: Outcome
      changed: number
      ms: number
      /** Ids of steps that were given up. */
      failed: string[]
      /** What to do next, for people. */
      next: string[]
    }

/** What a run says while it goes: the terminal, `--json`, the journal and the dashboard all watch these. */
export type RunEvent = NewEvent & {
  /** The one id of the run, also in its journal and its lease. */
  readonly run: string
  /** 1 for the first event of the run, and one more for each. */
  readonly seq: number
}

export interface AnnouncedStep {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly after: readonly string[]
  /** The machine it is about, where it is about one: reporters draw a tree of machines. */
  readonly machine?: string
}

export type Emit = (event: RunEvent) => void

/** As `Emit`, for those who do not number what they report. */
export type Report = (event: NewEvent) => void

/** Gives every event the id of its run and its place in it. */
export function numbered(emit: Emit, run: string): Report {
  let seq = 0
  return (event) => emit({ ...event, run, seq: ++seq })
}
