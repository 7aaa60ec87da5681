import type { StepProgress } from './progress.js'

type TimedStep = Pick<StepProgress, 'id' | 'kind' | 'after' | 'status' | 'since' | 'round' | 'limits'>

/**
 * The remaining time of all rounds in milliseconds, from the usual duration of each kind of step. `undefined` if one of
 * the open steps has never run here: a part of a sum is no estimate.
 */
export function remainingTime(
  steps: readonly TimedStep[],
  expected: ReadonlyMap<string, number>,
  now: number,
): number | undefined {
  const open = steps.filter(({ status }) => status !== 'done' && status !== 'failed')
  if (open.length === 0 || open.some(({ kind }) => !expected.has(kind))) return undefined
  const left = ({ kind, since }: TimedStep) =>
    Math.max(0, (expected.get(kind) ?? 0) - (since === undefined ? 0 : now - since))
  return minTime(open, left)
}

type OrderedStep = Pick<StepProgress, 'id' | 'after' | 'round' | 'limits'>

/** What no run of these steps can be faster than: of each round its longest chain, or the work that shares a limit. */
export function minTime<T extends OrderedStep>(steps: readonly T[], msOf: (step: T) => number): number {
  const rounds = new Map<number, T[]>()
  for (const step of steps) {
    const round = rounds.get(step.round ?? 1) ?? []
    round.push(step)
    rounds.set(step.round ?? 1, round)
  }
  return [...rounds.values()].reduce((sum, round) => sum + Math.max(longestChain(round, msOf), fullest(round, msOf)), 0)
}

function longestChain<T extends OrderedStep>(steps: readonly T[], left: (step: T) => number): number {
  const ends = new Map<string, number>()
  for (const step of steps) {
    const begins = Math.max(0, ...step.after.map((id) => ends.get(id) ?? 0))
    ends.set(step.id, begins + left(step))
  }
  return Math.max(...ends.values())
}

/** The work of the steps that share a limit, as many at a time as it allows. */
function fullest<T extends OrderedStep>(steps: readonly T[], left: (step: T) => number): number {
  const work = new Map<string, number>()
  for (const step of steps)
    for (const { name, limit } of step.limits ?? []) work.set(name, (work.get(name) ?? 0) + left(step) / limit)
  return Math.max(0, ...work.values())
}
