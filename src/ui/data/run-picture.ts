import type { AnnouncedStep, Outcome, RunEvent } from '../../events/event.js'
import type { PlanView } from '../../events/plan-view.js'
import type { StepLimit } from '../../events/step-limit.js'
import { minTime } from '../../report/remaining.js'
import type { Placed } from './waves.js'

export type StepState = 'next' | 'running' | 'waiting' | 'done' | 'already-done' | 'failed' | 'undone'

/** A step of a run. Times are in milliseconds since 1970. */
export interface StepPicture extends Placed {
  readonly kind: string
  readonly title: string
  readonly state: StepState
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** What it reported last. */
  readonly note: string
  readonly waitsFor: string
  /** Since when it waits, and how long it waited before. */
  readonly waitsSince: number | null
  readonly waitedMs: number
  readonly limits: readonly StepLimit[]
  readonly failure: { readonly problem: string; readonly where: string; readonly fix: string } | null
}

/** A run as its events show it. */
export interface RunPicture {
  /** Of the last event that is in it. */
  readonly seq: number
  readonly goal: string
  readonly startedAt: number | null
  readonly lastAt: number | null
  readonly plan: PlanView | null
  readonly outcome: Outcome | null
  readonly next: readonly string[]
  readonly notes: readonly { readonly text: string; readonly severity: 'info' | 'warning' }[]
  readonly steps: ReadonlyMap<string, StepPicture>
  /** The same steps by machine, round and order: another list only when there are others. */
  readonly arranged: readonly Placed[]
}

export const emptyRun: RunPicture = {
  seq: 0,
  goal: '',
  startedAt: null,
  lastAt: null,
  plan: null,
  outcome: null,
  next: [],
  notes: [],
  steps: new Map(),
  arranged: [],
}

const maxNotes = 100

/** The picture after these events. One that is in it already changes nothing. */
export function withEvents(before: RunPicture, events: readonly RunEvent[]): RunPicture {
  const steps = new Map(before.steps)
  const add = (run: RunPicture, event: RunEvent) => (event.seq <= run.seq ? run : withEvent(run, event, steps))
  const run = events.reduce<RunPicture>(add, { ...before, steps })
  return steps.size === before.arranged.length ? run : { ...run, arranged: [...steps.values()].map(placeOf) }
}

function placeOf({ id, round, machine, after }: StepPicture): Placed {
  return { id, round, machine, after }
}

function withEvent(run: RunPicture, event: RunEvent, steps: Map<string, StepPicture>): RunPicture {
  const at = Date.parse(event.at)
  const next = { ...run, seq: event.seq, lastAt: at, startedAt: run.startedAt ?? at }
  switch (event.type) {
    case 'run.started':
      announce(steps, event.steps, new Map(event.plan?.steps.map(({ id, round }) => [id, round])))
      return {
        ...next,
        startedAt: run.goal === '' ? at : next.startedAt,
        goal: event.goal,
        plan: event.plan ?? null,
        outcome: null,
      }
    case 'round.started':
      announce(steps, event.steps, new Map(event.steps.map(({ id }) => [id, event.round])))
      return next
    case 'run.noted':
      return { ...next, notes: [...run.notes, { text: event.text, severity: event.severity }].slice(-maxNotes) }
    case 'run.finished':
      return { ...next, outcome: event.outcome, next: event.next }
    default: {
      const step = steps.get(event.step) ?? newStep({ id: event.step, kind: '', title: event.step, after: [] }, 1)
      steps.set(event.step, withStepEvent(step, event, at))
      return next
    }
  }
}

/** A step that a later round announces again keeps what is known of it. */
function announce(
  steps: Map<string, StepPicture>,
  announced: readonly AnnouncedStep[],
  rounds: ReadonlyMap<string, number>,
) {
  for (const step of announced) {
    const known = steps.get(step.id)
    steps.set(step.id, known === undefined ? newStep(step, rounds.get(step.id) ?? 1) : { ...known, title: step.title })
  }
}

function newStep(
  { id, kind, title, after, machine = null, limits = [] }: Omit<AnnouncedStep, 'machine'> & { machine?: string | null },
  round: number,
): StepPicture {
  const notStarted = { state: 'next', startedAt: null, endedAt: null, waitsSince: null, waitedMs: 0 } as const
  return { id, kind, title, after, machine, round, limits, ...notStarted, note: '', waitsFor: '', failure: null }
}

type StepEvent = Extract<RunEvent, { readonly step: string }>

function withStepEvent(before: StepPicture, event: StepEvent, at: number): StepPicture {
  const { waitsSince, waitedMs } = before
  const step =
    waitsSince === null ? before : { ...before, waitsFor: '', waitsSince: null, waitedMs: waitedMs + at - waitsSince }
  switch (event.type) {
    case 'step.started':
      return { ...step, state: 'running', startedAt: step.startedAt ?? at, endedAt: null, failure: null }
    case 'step.noted':
      return { ...step, note: event.text, ...(step.state === 'waiting' ? { state: 'running' as const } : {}) }
    case 'step.waiting':
      return { ...step, state: 'waiting', waitsFor: event.for, waitsSince: at, startedAt: step.startedAt ?? at }
    case 'step.failed': {
      const { problem, where, fix, retryInMs } = event
      const failure = { problem, where, fix }
      return retryInMs === undefined
        ? { ...step, state: 'failed', endedAt: at, failure }
        : { ...step, state: 'waiting', waitsFor: problem, waitsSince: at, failure: null }
    }
    case 'step.undone':
      return { ...step, state: 'undone', endedAt: at, note: event.reason }
    case 'step.finished':
      return { ...step, state: event.outcome, endedAt: at, startedAt: step.startedAt ?? at - event.ms, waitsFor: '' }
  }
}

/** The critical path until now: back from the step that ends last, or still runs, through those that each waited for. */
export function longestChain(steps: ReadonlyMap<string, StepPicture>): StepPicture[] {
  let step = latest([...steps.values()].filter(({ startedAt }) => startedAt !== null))
  const chain: StepPicture[] = []
  while (step !== undefined && !chain.includes(step)) {
    chain.unshift(step)
    step = latest(step.after.flatMap((id) => steps.get(id) ?? []).filter(({ endedAt }) => endedAt !== null))
  }
  return chain
}

/** Of those that still run, the one that began first. */
function latest(steps: readonly StepPicture[]): StepPicture | undefined {
  const endOf = ({ endedAt }: StepPicture) => endedAt ?? Number.POSITIVE_INFINITY
  const isLater = (one: StepPicture, other: StepPicture) =>
    endOf(one) === endOf(other) ? (one.startedAt ?? 0) < (other.startedAt ?? 0) : endOf(one) > endOf(other)
  return steps.reduce<StepPicture | undefined>(
    (last, step) => (last === undefined || isLater(step, last) ? step : last),
    undefined,
  )
}

/** How long it worked, without what it waited for a turn, a host or another attempt. */
export function workedMs({ startedAt, endedAt, waitedMs }: StepPicture): number {
  return startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt - waitedMs)
}

/** What these steps could not be faster than, had nothing but one another to wait for. */
export function floorOf({ steps }: Pick<RunPicture, 'steps'>): number {
  return minTime([...steps.values()], workedMs)
}

/** What is waited for now, each with the steps that wait for it, the longest wait first. */
export function waitsOf({
  steps,
}: Pick<RunPicture, 'steps'>): { readonly for: string; readonly steps: readonly StepPicture[] }[] {
  const waiting = [...steps.values()].filter(({ state }) => state === 'waiting')
  const bySince = waiting.toSorted((one, other) => (one.waitsSince ?? 0) - (other.waitsSince ?? 0))
  const reasons = [...new Set(bySince.map(({ waitsFor }) => waitsFor))]
  return reasons.map((reason) => ({ for: reason, steps: bySince.filter(({ waitsFor }) => waitsFor === reason) }))
}
