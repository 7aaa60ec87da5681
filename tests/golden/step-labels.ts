import type { PlannedStep } from '../../src/plan/plan.js'

/** Short names for the steps of a round, such as `make-guest:dev-cp-1`; the whole id where that could be two. */
export function stepLabels(round: readonly PlannedStep[]): ReadonlyMap<string, string> {
  const short = ({ kind, machine }: PlannedStep) => (machine === undefined ? kind : `${kind}:${machine}`)
  const counts = new Map<string, number>()
  for (const step of round) counts.set(short(step), (counts.get(short(step)) ?? 0) + 1)
  return new Map(round.map((step) => [step.id, counts.get(short(step)) === 1 ? short(step) : step.id]))
}
