import type { GoalName } from '../cluster/goal-name.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { Desired, DesiredRestore } from '../desired/desired.js'
import { desiredAdministration } from '../desired/desired-administration.js'
import { desiredRestore } from '../desired/desired-restore.js'
import { desiredShutdown } from '../desired/desired-shutdown.js'
import { desiredTeardown } from '../desired/desired-teardown.js'
import { resolveDesired } from '../desired/resolve-desired.js'
import type { Observed } from '../observe/observed.js'
import { refuseBeforePlan } from '../plan/before-plan.js'
import { planRestoreRound } from '../plan/etcd/plan-restore.js'
import { refuseLocked } from '../plan/lock-rules.js'
import type { PlannedStep } from '../plan/plan.js'
import { type Cures, planCures } from '../plan/plan-cures.js'
import { withinTarget } from '../plan/target.js'
import { firstOfRoll, rolls, type UpgradeLimit, withinLimit } from '../plan/upgrade/limit-upgrade.js'
import { planAdministration, planAdministrationRemoval } from '../rounds/plan-administration.js'
import { planDestroyRound } from '../rounds/plan-destroy.js'
import { planEjectRound } from '../rounds/plan-eject.js'
import { planRound } from '../rounds/plan-round.js'
import { planShutdownRound } from '../rounds/plan-shutdown.js'
import { adoptMachine } from '../steps/adopt-machine.js'

/** The goal of a run. The loop that executes it knows neither goals nor steps by name. */
export interface Goal {
  readonly name: GoalName
  /** The machines that it is limited to. */
  readonly target?: readonly string[]
  /** Only Proxmox matters: nodes are not queried. */
  readonly isLeaving: boolean
  /** The machines that exist are switched off: what the inventory wants of them does not matter. */
  readonly isStopping?: true
  /** With the login of an administrator. */
  readonly isAdministering?: true
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
export const up: Goal = {
  name: 'up',
  isLeaving: false,
  desire: (spec, observed) => resolveDesired(spec, observed, (desired) => refuseBeforePlan('up', desired, observed)),
  planRound: onFreeVms(planRound),
}

/** Nothing of the cluster exists. */
export const destroy: Goal = {
  name: 'destroy',
  isLeaving: true,
  desire: desiredTeardown,
  planRound: onFreeVms(planDestroyRound),
}

/** The machines run on, and nothing on Proxmox marks them as ours. */
export const eject: Goal = {
  name: 'eject',
  isLeaving: true,
  desire: desiredTeardown,
  planRound: onFreeVms(planEjectRound),
}

/** Nothing of a drill exists. */
export const cleanUp: Goal = { ...destroy, name: 'clean-up' }

/** What needs Sys.Modify on `/` matches the inventory. */
export const administer: Goal = {
  name: 'access',
  isLeaving: false,
  isAdministering: true,
  desire: desiredAdministration,
  planRound: onFreeVms(planAdministration),
}

/** Nothing is left of it. */
export const removeAdministration: Goal = {
  name: 'access',
  isLeaving: true,
  isAdministering: true,
  desire: desiredTeardown,
  planRound: planAdministrationRemoval,
}

/** etcd holds the contents of the snapshot, and nothing of the old one is left. */
export function restoreFrom(restore: DesiredRestore): Goal {
  const restored = (desired: Desired, observed: Observed) => desiredRestore(desired, restore, observed)
  return {
    name: 'restore',
    isLeaving: false,
    desire: (spec, observed) => {
      const judge = (desired: Desired) => refuseBeforePlan('restore', restored(desired, observed), observed)
      return restored(resolveDesired(spec, observed, judge), observed)
    },
    planRound: onFreeVms(planRestoreRound),
  }
}

/** The same goal, limited to these machines and the dependencies of their steps. */
export function targeted(goal: Goal, machines: readonly string[]): Goal {
  const names = new Set(machines)
  return {
    ...goal,
    target: machines,
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
      chosen ??= rolls(steps) ? firstOfRoll(steps, limit) : undefined
      return withinLimit(steps, chosen ?? new Set())
    },
  }
}

/** The same on a machine that is deleted afterwards. */
export function drillOf(restore: DesiredRestore): Goal {
  return { ...restoreFrom(restore), name: 'drill' }
}

/** Every machine of the cluster is off. */
export function shutDownAll(how: { readonly takesSnapshot: boolean; readonly withGuests: boolean }): Goal {
  return {
    name: 'shutdown',
    isLeaving: false,
    isStopping: true,
    desire: (spec, observed) => desiredShutdown(spec, how, observed),
    planRound: onFreeVms(planShutdownRound),
  }
}

/** What a doctor found is cured: first what `up` does not do, then what `up` would do for those machines. */
export function cure(cures: Cures): Goal {
  const names = new Set([...cures.machines, ...cures.replace])
  // Of a machine that only gets its mark back, nothing else is changed.
  const remark = new Set(cures.remark)
  const isMark = ({ kind, machine = '' }: PlannedStep) => kind === adoptMachine.kind && remark.has(machine)
  const addons = new Set(cures.addons)
  return {
    name: 'cure',
    isLeaving: false,
    desire: resolveDesired,
    planRound: onFreeVms((desired, observed, round) => {
      const own = round === 1 ? planCures(cures, desired, observed, round) : []
      const steps = planRound(desired, observed, round)
      const first = [...own, ...steps.filter(isMark)]
      return first.length > 0 ? first : withinTarget(steps, names, addons)
    }),
  }
}
