import { ifSeen } from '../../cluster/seen.js'
import { memberOf } from '../../etcd/etcd-members.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import type { Observed, ObservedEtcd, ObservedMachine } from '../../observe/observed.js'
import { deleteNode } from '../../steps/delete-node.js'
import { stopMachine } from '../../steps/power.js'
import { removeEtcdMember } from '../../steps/remove-etcd-member.js'
import { resetMachine } from '../../steps/reset-machine.js'
import type { EtcdMember } from '../../talos/api/port.js'
import type { Draft, StepRef } from '../draft.js'
import type { Turn } from '../plan.js'
import { planDeletion } from './plan-deletion.js'

export interface Leave {
  readonly after: readonly (StepRef | undefined)[]
  readonly turn: Turn
  readonly reason: string
}

/**
 * A drained machine leaves etcd and Kubernetes, and its VM is deleted. A machine that responds is reset; a lost member,
 * or one whose etcd does not run, is removed through the others.
 */
export function planLeaving(
  draft: Draft,
  seen: ObservedMachine,
  observed: Observed,
  { after, turn, reason }: Leave,
): StepRef[] {
  const { name: machine, node, mark, talos, status } = seen
  const etcd = ifSeen(observed.etcd)
  const member = etcd === undefined ? undefined : memberOf(etcd, seen)
  // A machine that never joined a cluster has nothing to leave.
  const canReset = talos.reach === 'secured' && wasBootstrapped(observed)
  const left =
    member !== undefined && !(canReset && canLeave(member, etcd))
      ? draft.add(removeEtcdMember, { machine }, reason, after, turn)
      : undefined
  const reset = canReset ? draft.add(resetMachine, { machine }, reason, [...after, left], turn) : undefined
  const forgotten =
    node === undefined
      ? undefined
      : draft.add(deleteNode, { machine, node: node.name }, reason, [...after, reset, left], turn)
  const isRunning = status === 'running' || mark.stage === 'leaving'
  const stopped = isRunning
    ? draft.add(stopMachine, { machine, because: 'removal' }, reason, [...after, reset, left, forgotten], turn)
    : undefined
  return [planDeletion(draft, seen, { reason, after: [...after, stopped, reset, left, forgotten], turn })]
}

/** Talos takes a member out of etcd only while it is healthy. A learner that responds becomes healthy soon. */
function canLeave({ id, isLearner }: EtcdMember, etcd: ObservedEtcd | undefined): boolean {
  return etcd !== undefined && (etcd.healthy.includes(id) || (isLearner && etcd.owners[id] !== undefined))
}
