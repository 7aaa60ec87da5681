import type { GoalName } from '../../cluster/goal-name.js'
import { PlanRefused } from '../../errors.js'
import { refusals } from './index.js'

/** Keeps refusals, so that all of them are shown together and not only the first. */
export interface CollectedRefusals {
  /** Runs it. What it refuses is kept, and `otherwise` stands in for its result. */
  attempt<T>(run: () => T, otherwise: T): T
  hasAny(): boolean
  /** Runs the last of them, and throws everything that was kept. */
  finish<T>(run: () => T): T
}

/** Those that block this goal, or all. */
export function collectRefusals(goal?: GoalName): CollectedRefusals {
  const kept: PlanRefused[] = []
  const attempt: CollectedRefusals['attempt'] = (run, otherwise) => {
    try {
      return run()
    } catch (thrown) {
      if (!(thrown instanceof PlanRefused)) throw thrown
      if (goal === undefined || thrown.blocks?.includes(goal) !== false) kept.push(thrown)
      return otherwise
    }
  }
  return {
    attempt,
    hasAny: () => kept.length > 0,
    finish: (run) => {
      if (kept.length === 0) return run()
      attempt(run, undefined)
      throw together(kept)
    },
  }
}

/** What is solved first stands first; the same problem is shown once. */
function together(all: readonly PlanRefused[]): PlanRefused {
  const parts = all.flatMap(partsOf).toSorted((one, other) => rankOf(one) - rankOf(other))
  const distinct = [...new Map(parts.map((part) => [`${part.message}\n${part.where}`, part])).values()]
  const [only] = distinct
  if (only !== undefined && distinct.length === 1) return only
  const linesOf = (texts: readonly string[], separator: string) => [...new Set(texts)].join(separator)
  return new PlanRefused(
    linesOf(
      distinct.map(({ message }) => message),
      '\n',
    ),
    {
      where: linesOf(
        distinct.map(({ where }) => where),
        '; ',
      ),
      fix: linesOf(
        distinct.map(({ fix }) => fix),
        '\n',
      ),
      findings: distinct.flatMap(({ findings }) => findings),
      cause: new AggregateError(distinct),
    },
  )
}

function partsOf(refused: PlanRefused): PlanRefused[] {
  const { cause } = refused
  if (!(cause instanceof AggregateError)) return [refused]
  return cause.errors.filter((part) => part instanceof PlanRefused)
}

function rankOf({ findings: [finding] }: PlanRefused): number {
  const rank = refusals.findIndex(({ code }) => code === finding?.code)
  return rank < 0 ? refusals.length : rank
}
