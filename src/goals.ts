import type { ClusterSpec } from './desired/cluster-spec.js'
import type { Desired, DesiredRestore } from './desired/desired.js'
import { desiredRestore } from './desired/desired-restore.js'
import { desiredTeardown } from './desired/desired-teardown.js'
import { resolveDesired } from './desired/resolve-desired.js'
import type { Observed } from './observe/observed.js'
import { firstOfRoll, type UpgradeLimit, withinLimit } from './plan/limit-upgrade.js'
import { refuseLocked } from './plan/lock-rules.js'
import type { PlannedStep } from './plan/plan.js'
import { planDestroyRound } from './plan/plan-destroy.js'
import { planRestoreRound } from './plan/plan-restore.js'
import { planRound } from './plan/plan-round.js'
import { withinTarget } from './plan/target.js'

/** The goal of a run. The loop that executes it knows neither goals nor steps by name. */
export interface Goal {
  readonly name: 'up' | 'destroy' | 'restore' | 'drill'
  /** Only Proxmox matters: nodes are not queried. */
  readonly isLeaving: boolean
  desire(spec: ClusterSpec, observed: Observed): Desired
  planRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[]
  /** The plan without a limit: while it has steps, a limited run that is done is only paused. */
  planUnlimited?(desired: Desired, observed: Observed, round: number): readonly PlannedStep[]
}

/** Refuses locked VMs, which Proxmox would refuse, before anything else is done. */
function onFreeVms(plan: Goal['planRound']): Goal['planRound'] {
  return (desired, observed, round) => refuseLocked(plan(desired, observed, round), observed)
}

/** The cluster matches the inventory. */
export const up: Goal = { name: 'up', isLeaving: false, desire: resolveDesired, planRound: onFreeVms(planRound) }

/** Nothing of the cluster exists. */
export const destroy: Goal = {
  name: 'destroy',
  isLeaving: true,
  desire: desiredTeardown,
  planRound: onFreeVms(planDestroyRound),
}

/** etcd holds the contents of the snapshot, and nothing of the old one is left. */
export function restoreFrom(restore: DesiredRestore): Goal {
  return {
    name: 'restore',
    isLeaving: false,
    desire: (spec, observed) => desiredRestore(resolveDesired(spec, observed), restore, observed),
    planRound: onFreeVms(planRestoreRound),
  }
}

/** The same goal, limited to these machines and the dependencies of their steps. */
export function targeted(goal: Goal, machines: readonly string[]): Goal {
  const names = new Set(machines)
  return {
    ...goal,
    planRound: (desired, observed, round) => withinTarget(goal.planRound(desired, observed, round), names),
  }
}

/** The same goal, with a Talos upgrade that pauses for the user. The first choice of machines is kept. */
export function limited(goal: Goal, limit: UpgradeLimit): Goal {
  let chosen: Set<string> | undefined
  return {
    ...goal,
    planUnlimited: goal.planRound,
    planRound: (desired, observed, round) => {
      const steps = goal.planRound(desired, observed, round)
      chosen ??= steps.some(({ kind }) => kind === 'upgrade-machine') ? firstOfRoll(steps, limit) : undefined
      return withinLimit(steps, chosen ?? new Set())
    },
  }
}

/** The same on a machine that is deleted afterwards. */
export function drillOf(restore: DesiredRestore): Goal {
  return { ...restoreFrom(restore), name: 'drill' }
}
