import type { Machine } from '../cluster/machine.js'
import { endsAgainAndAgain } from '../etcd/sick-members.js'
import { isCordonedByUs } from '../node/kubernetes-node.js'
import type { Purpose } from '../node/purpose.js'
import type { ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { checkRoll } from '../steps/check-roll.js'
import { drainNode, uncordonNode } from '../steps/drain-node.js'
import { runHook } from '../steps/run-hook.js'
import type { Draft, StepRef } from './draft.js'
import { mustVoteMeanwhile } from './etcd/unhealthy-members.js'
import type { Turn } from './plan.js'
import type { Reason } from './reason.js'

type After = readonly (StepRef | undefined)[]

export interface Disruption {
  readonly seen: ObservedMachine
  readonly purpose: Purpose
  readonly reason: string | Reason
  readonly before: After
  readonly turn: Turn
  /** The machine keeps running: it is not drained, only checked afterwards. */
  readonly isLive?: true
  /** Adds the steps that interrupt the machine. Returns the steps that must finish before waiting for it. */
  work(after: After): After
  /**
   * Adds the steps that wait for the machine. A machine that only restarts must have its config and everything it had
   * before.
   */
  back?(after: After): StepRef
}

/**
 * The one chain for every disruption of a machine: cordon, drain, the work itself, and, unless the machine is removed,
 * wait for it and uncordon. Live migrations are not drained. The turn is held from the first step to the last, and
 * guards precede the steps of the work.
 */
export function planDisruption(draft: Draft, disruption: Disruption): After {
  const { seen, purpose, reason, before, turn, work, back: wait } = disruption
  const machine = seen.name
  if (disruption.isLive) return planLive(draft, disruption)
  if (isUndrainable(draft, seen, purpose) || (!purpose.leave && mustVoteMeanwhile(draft, seen))) return []
  // Pods are not evicted from a machine that is off, or that was drained and is being wiped: they are deleted with
  // their node.
  const isAlive = seen.status === 'running' && seen.node?.ready === true && seen.mark.stage !== 'leaving'
  const ready = planHooks(draft, 'before', machine, before, turn)
  const drained = isAlive ? draft.add(drainNode, { machine, purpose }, reason, ready, turn) : undefined
  const worked = work([...ready, drained])
  if (purpose.leave) return planChecks(draft, machine, planHooks(draft, 'after', machine, worked, turn), turn)
  const back = wait?.(worked) ?? draft.add(awaitBack, backArgs(seen), 'it restarts', worked, turn)
  const isCordoned = isAlive || (seen.node !== undefined && isCordonedByUs(seen.node))
  const after = planHooks(draft, 'after', machine, [back], turn)
  const last = isCordoned ? [draft.add(uncordonNode, { machine }, 'it is back', after, turn)] : after
  return planChecks(draft, machine, last, turn)
}

/** Waits for the checks that passed before. Skipped if the machine did not respond before. */
function planLive(draft: Draft, { seen, before, turn, work }: Disruption): After {
  const worked = work(planHooks(draft, 'before', seen.name, before, turn))
  const back =
    seen.talos.reach === 'secured'
      ? [draft.add(awaitBack, { ...backArgs(seen), after: 'move' }, 'it moved', worked, turn)]
      : worked
  return planChecks(draft, seen.name, planHooks(draft, 'after', seen.name, back, turn), turn)
}

/** The checks that the user configured run between this machine and the next. */
function planChecks(draft: Draft, machine: string, after: After, turn: Turn): After {
  if ((draft.desired.cluster.roll?.checks ?? []).length === 0) return after
  return [draft.add(checkRoll, { machine }, 'roll.checks must pass before the next machine is changed', after, turn)]
}

/**
 * The commands that the user configured around each machine. Those after it run before it is uncordoned: a run that was
 * killed in between has left the cordon, by which the next run knows that they are due.
 */
export function planHooks(draft: Draft, when: 'before' | 'after', machine: string, after: After, turn?: Turn): After {
  if ((draft.desired.cluster.roll?.hooks[when] ?? []).length === 0) return after
  return [draft.add(runHook, { machine, when }, `roll.${when} runs ${when} each machine`, after, turn)]
}

/** If pods cannot be listed, the machine is left unchanged until they can. etcd has its own guards. */
function isUndrainable({ observed, desired }: Draft, { mark, status }: ObservedMachine, { leave }: Purpose): boolean {
  if (observed.kubernetes.seen || desired.cluster.intent.newEtcd) return false
  return status === 'running' && (leave === true || mark.role === 'worker')
}

/** After the disruption, the machine must pass the same checks as before. */
export function backArgs({ name, mark, talos, node }: ObservedMachine) {
  const isReady = talos.reach === 'secured' && talos.ready
  return {
    machine: name,
    isControlPlane: mark.role === 'controlplane' && isReady,
    isNode: node?.ready === true,
    ...(endsAgainAndAgain(talos) ? { isSick: true } : {}),
  }
}

/** Draining workers needs the API, which is down while a single control plane restarts. */
export function controlPlanesFirst({ desired, refIfPlanned }: Draft, { role }: Pick<Machine, 'role'>): StepRef[] {
  if (role === 'controlplane') return []
  return desired.machines.flatMap(({ machine: { name: machine, role: other } }) =>
    other === 'controlplane'
      ? [refIfPlanned(awaitBack, { machine }), refIfPlanned(uncordonNode, { machine })].filter(
          (ref) => ref !== undefined,
        )
      : [],
  )
}
