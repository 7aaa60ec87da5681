import type { PlannedStep } from '../../src/plan/plan.js'

/** A planned step that changes something and depends on nothing; its id is its kind. */
export function aStep(kind: string, change: Partial<PlannedStep> = {}): PlannedStep {
  return {
    id: kind,
    round: 1,
    kind,
    args: {},
    title: kind,
    reason: 'a test wants it',
    values: [],
    after: [],
    changes: true,
    disruptive: false,
    loses: [],
    pending: [],
    digest: () => null,
    ...change,
  }
}
