import type { ClusterSpec } from '../../src/desired/cluster-spec.js'
import type { Desired } from '../../src/desired/desired.js'
import { PlanRefused } from '../../src/errors.js'
import type { Observed } from '../../src/observe/observed.js'
import type { Goal } from '../../src/operations/goals.js'
import * as goals from '../../src/operations/goals.js'
import { consentTo } from '../../src/plan/consent.js'
import { createDigester, type Digester } from '../../src/plan/digest.js'
import type { Plan, PlannedStep } from '../../src/plan/plan.js'
import { planRounds } from '../../src/rounds/plan-rounds.js'
import { plannedFile } from '../../src/secrets/rotation.js'
import { type GoldenCase, specOf } from './golden-case.js'

/** What came out: the rounds that were planned, and either the plan or why there is none. */
export interface Outcome {
  readonly rounds: readonly (readonly PlannedStep[])[]
  readonly digester: Digester
  readonly plan?: Plan
  /** What it was planned from. */
  readonly facts?: { readonly desired: Desired; readonly observed: Observed }
  readonly refused?: PlanRefused
}

/** The goals of the planner, or those of a copy of it. */
export type Goals = typeof goals

export async function planCase(golden: GoldenCase, planner: Goals = goals): Promise<Outcome> {
  const spec = await specOf(golden)
  const goal = goalOf(golden, planner)
  if (golden.shownOn === undefined) return planAll(goal, spec, golden.observed)
  const { plan, digester } = planAll(goal, spec, golden.shownOn)
  if (plan === undefined) throw new Error('the plan that is shown was refused')
  const steps = goal.planRound(desireOf(goal, spec)(golden.observed), golden.observed, 1)
  const refused = refusalOf(() => consentTo(plan, golden.shownOn ?? golden.observed)(steps))
  return { rounds: [steps], digester, ...(refused === undefined ? {} : { refused }) }
}

function planAll(goal: Goal, spec: ClusterSpec, observed: Observed): Outcome {
  const digester = createDigester(spec.secrets?.bundle.cluster)
  const rounds: (readonly PlannedStep[])[] = []
  const planRound: Goal['planRound'] = (desired, seen, round) => {
    const steps = goal.planRound(desired, seen, round)
    rounds.push(steps)
    return steps
  }
  let plan: Plan | undefined
  const refused = refusalOf(() => {
    plan = planRounds({ desire: desireOf(goal, spec), planRound }, observed, digester)
  })
  if (refused !== undefined) return { rounds, digester, refused }
  const kept = { rounds: rounds.slice(0, plan?.rounds), digester }
  if (plan === undefined) return kept
  return { ...kept, plan, facts: { desired: desireOf(goal, spec)(observed), observed } }
}

/** As a run does it: a plan passes through the phases of a rotation before any of them is recorded. */
function desireOf(goal: Goal, { secrets, ...spec }: ClusterSpec) {
  return (seen: Observed) => {
    const file =
      secrets === undefined || spec.intent.rotating === undefined
        ? secrets
        : plannedFile(secrets, seen.secrets.rotation, spec.intent.rotating.fresh)
    return goal.desire({ ...spec, secrets: file }, seen)
  }
}

function goalOf(
  { goal: name, restore, target, limit }: GoldenCase,
  { up, destroy, eject, administer, removeAdministration, restoreFrom, drillOf, shutDownAll, limited, targeted }: Goals,
): Goal {
  const restoring = () => {
    if (restore === undefined) throw new Error('a restore without a snapshot')
    return restore
  }
  const named = {
    up: () => up,
    destroy: () => destroy,
    eject: () => eject,
    administer: () => administer,
    removeAdministration: () => removeAdministration,
    restore: () => restoreFrom(restoring()),
    drill: () => drillOf(restoring()),
    shutdown: () => shutDownAll({ takesSnapshot: true, withGuests: true }),
  }
  const goal = named[name]()
  const bounded = limit === undefined ? goal : limited(goal, limit)
  return target === undefined ? bounded : targeted(bounded, target)
}

function refusalOf(plan: () => void): PlanRefused | undefined {
  try {
    plan()
    return undefined
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return thrown
    throw thrown
  }
}
