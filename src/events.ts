export type Outcome = 'done' | 'nothing-to-do' | 'incomplete' | 'refused' | 'declined' | 'failed' | 'cancelled'

/** What a run says while it goes: the terminal, `--json`, the journal and the dashboard all watch these. */
export type RunEvent =
  | { type: 'run.started'; at: string; run: string; cluster: string; steps: AnnouncedStep[] }
  | { type: 'round.started'; at: string; round: number; steps: AnnouncedStep[] }
  | { type: 'step.started'; at: string; step: string; attempt: number }
  | { type: 'step.noted'; at: string; step: string; text: string }
  | { type: 'step.failed'; at: string; step: string; problem: string; where: string; fix: string; retryInMs?: number }
  | { type: 'step.finished'; at: string; step: string; ms: number; outcome: 'done' | 'already-done' }
  | { type: 'run.noted'; at: string; text: string; severity: 'info' | 'warning' }
  | { type: 'run.finished'; at: string; outcome: Outcome; changed: number }

export interface AnnouncedStep {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly after: readonly string[]
  /** The machine it is about, where it is about one: reporters draw a tree of machines. */
  readonly machine?: string
}

export type Emit = (event: RunEvent) => void
