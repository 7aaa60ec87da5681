import type { PlanView } from '../events/plan-view.js'
import { lockDeviations } from '../lock/check-lock.js'
import { readOnly } from '../read-only.js'
import { adviceNotes } from './advise.js'
import type { WantedChange } from './change/wanted-change.js'
import { type Goal, limited } from './goals.js'
import { preview } from './reconcile.js'
import type { Session } from './session.js'
import { shownPlan } from './shown-plan.js'
import { specOf } from './spec/spec-of.js'

interface PreviewRequest {
  readonly goal: Goal
  /** The spec of the inventory by default. */
  readonly wanted?: Pick<WantedChange, 'spec'> & Partial<WantedChange>
  readonly signal: AbortSignal
}

/** What a run would do: all rounds, with what the lock file refuses among its notes. Changes nothing. */
export async function previewRun(
  session: Pick<Session, 'world' | 'inventory' | 'env' | 'lab'>,
  { goal, wanted, signal }: PreviewRequest,
): Promise<PlanView> {
  const world = readOnly(session.world)
  const isLab = session.lab !== undefined
  const { spec, limit, check } = wanted ?? { spec: await specOf(session) }
  const { plan, ...basis } = await preview({
    spec,
    world,
    goal: limit === undefined ? goal : limited(goal, limit),
    signal,
  })
  await check?.(basis)
  const deviations = goal.isLeaving ? [] : await lockDeviations({ spec, plan, factory: world.factory, isLab, signal })
  const advice = (goal.name === 'up' || goal.name === 'cure') && plan.steps.length > 0 ? await adviceNotes(basis) : []
  return shownPlan(goal, { ...plan, notes: [...plan.notes, ...deviations, ...advice] }, basis)
}
