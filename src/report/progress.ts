import type { AnnouncedStep, NewEvent } from '../events/event.js'

export interface StepProgress extends AnnouncedStep {
  readonly status: 'waiting' | 'running' | 'retrying' | 'done' | 'failed'
  /** Milliseconds since 1970. */
  readonly since?: number
  readonly ms?: number
  readonly note?: string
}

/** The state of each step, which every screen draws. Pure. */
export function progress(seen: ReadonlyMap<string, StepProgress>, event: NewEvent): ReadonlyMap<string, StepProgress> {
  switch (event.type) {
    case 'run.started':
    case 'round.started':
      return announce(seen, event.steps)
    case 'step.started':
      return change(seen, event.step, { status: 'running', since: Date.parse(event.at) })
    case 'step.noted':
      return change(seen, event.step, { note: event.text })
    case 'step.waiting':
      return change(seen, event.step, { note: `waiting for ${event.for}` })
    case 'step.undone':
      return change(seen, event.step, { note: `rolled back: ${event.reason}` })
    case 'step.failed':
      return change(seen, event.step, {
        status: event.retryInMs === undefined ? 'failed' : 'retrying',
        note: event.problem,
      })
    case 'step.finished':
      return change(seen, event.step, { status: 'done', ms: event.ms })
    case 'run.noted':
    case 'run.finished':
      return seen
  }
}

function announce(
  seen: ReadonlyMap<string, StepProgress>,
  steps: readonly AnnouncedStep[],
): ReadonlyMap<string, StepProgress> {
  const next = new Map(seen)
  for (const step of steps) next.set(step.id, { ...step, status: 'waiting' })
  return next
}

function change(
  seen: ReadonlyMap<string, StepProgress>,
  id: string,
  part: Partial<StepProgress>,
): ReadonlyMap<string, StepProgress> {
  const step = seen.get(id)
  return step === undefined ? seen : new Map(seen).set(id, { ...step, ...part })
}
