import type { PlanView } from '../events/plan-view.js'
import { ownVersion } from '../own-version.js'
import type { Plan } from '../plan/plan.js'
import type { PlanFacts } from '../plan/view/machine-rows.js'
import { viewOf } from '../plan/view/plan-view.js'
import type { Goal } from './goals.js'

/** A plan as it is shown to users and approved by them. */
export function shownPlan({ name, target }: Goal, plan: Plan, facts: PlanFacts): PlanView {
  return viewOf(plan, facts, {
    goal: name,
    target: target ?? null,
    madeAt: new Date().toISOString(),
    ichorVersion: ownVersion(),
  })
}
