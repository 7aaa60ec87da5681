import type { StepProgress } from './progress.js'

/** The remaining time of the longest chain of unfinished steps in milliseconds; `undefined` if too little is known. */
export function remainingTime(
  steps: readonly Pick<StepProgress, 'id' | 'kind' | 'after' | 'status' | 'since'>[],
  expected: ReadonlyMap<string, number>,
  now: number,
): number | undefined {
  const open = steps.filter(({ status }) => status !== 'done' && status !== 'failed')
  const known = open.filter(({ kind }) => expected.has(kind))
  if (open.length === 0 || known.length < open.length / 2) return undefined
  const ends = new Map<string, number>()
  for (const step of open) {
    const begins = Math.max(0, ...step.after.map((id) => ends.get(id) ?? 0))
    const elapsed = step.since === undefined ? 0 : now - step.since
    ends.set(step.id, begins + Math.max(0, (expected.get(step.kind) ?? 0) - elapsed))
  }
  return Math.max(...ends.values())
}
