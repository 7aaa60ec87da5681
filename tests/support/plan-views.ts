import type { PlanView } from '../../src/events/plan-view.js'
import type { Plan } from '../../src/plan/plan.js'
import type { PlanFacts } from '../../src/plan/view/machine-rows.js'
import { viewOf } from '../../src/plan/view/plan-view.js'

/** What users see of a plan of `up`. */
export function aViewOf(plan: Plan, facts: PlanFacts): PlanView {
  const origin = { goal: 'up', target: null, madeAt: '2026-11-15T12:00:00.000Z', ichorVersion: '0.1.0' }
  return viewOf(plan, facts, origin)
}
