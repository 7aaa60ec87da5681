import type { Outcome, RunEvent } from '../events/event.js'

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

/** Sums up a run event by event. A journal may hold several goals, such as those of a drill: the first began it, the last ended it. */
export class RunSum {
  readonly #steps = new Set<string>()
  readonly #done = new Set<string>()
  #goal: string | undefined
  #started: string | undefined
  #first: RunEvent | undefined
  #last: RunEvent | undefined

  add(event: RunEvent): void {
    this.#first ??= event
    this.#last = event
    if (event.type === 'run.started') {
      this.#goal ??= event.goal
      this.#started ??= event.at
    }
    if (event.type === 'run.started' || event.type === 'round.started')
      for (const step of event.steps) this.#steps.add(step.id)
    if (event.type === 'step.finished') this.#done.add(event.step)
  }

  /** `null`: nothing has happened yet. */
  summary(id: string): RunSummary | null {
    if (this.#first === undefined || this.#last === undefined) return null
    const started = this.#started ?? this.#first.at
    const end = this.#last.type === 'run.finished' ? this.#last : undefined
    return {
      id,
      goal: this.#goal ?? 'run',
      started,
      last: this.#last.at,
      outcome: end?.outcome ?? null,
      ms: end === undefined ? null : Date.parse(end.at) - Date.parse(started),
      changed: end?.changed ?? 0,
      steps: this.#steps.size,
      done: this.#done.size,
      failed: end?.failed.length ?? 0,
    }
  }
}
