import type { Desired } from '../../src/desired/desired.js'
import { PlanRefused } from '../../src/errors.js'
import type { Observed } from '../../src/observe/observed.js'
import type { PlannedStep } from '../../src/plan/plan.js'
import { planRound } from '../../src/rounds/plan-round.js'

/** The first round, or nothing where it is refused. */
export function roundOf(
  desired: Desired,
  observed: Observed,
  plan: typeof planRound = planRound,
): readonly PlannedStep[] | undefined {
  try {
    return plan(desired, observed, 1)
  } catch (thrown) {
    if (thrown instanceof PlanRefused) return undefined
    throw thrown
  }
}

/** Steps that take something away for good, or make a second one of it. */
export const grave: ReadonlySet<string> = new Set([
  'make-template',
  'remove-seed',
  'delete-machine',
  'reset-machine',
  'stop-machine',
  'retire-control-plane',
  'wipe-etcd',
  'remove-etcd-member',
  'bootstrap-etcd',
  'recover-etcd',
  'delete-node',
  'claim-machine',
  'fill-machine',
])
