import type { PlanView } from '../events/plan-view.js'
import { ownVersion } from '../own-version.js'
import type { Plan } from '../plan/plan.js'
import { viewOf } from '../plan/view/plan-view.js'
import type { Goal } from './goals.js'
import { findingsBeside, type PlanBasis } from './plan-findings.js'

/** A plan as it is shown to users and approved by them. */
export async function shownPlan({ name, target }: Goal, plan: Plan, basis: Required<PlanBasis>): Promise<PlanView> {
  return viewOf(plan, basis, {
    goal: name,
    target: target ?? null,
    madeAt: new Date().toISOString(),
    ichorVersion: ownVersion(),
    found: await findingsBeside(plan, basis),
  })
}
