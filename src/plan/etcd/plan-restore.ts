import { ifSeen } from '../../cluster/seen.js'
import type { Desired, DesiredRestore } from '../../desired/desired.js'
import { hasMajority } from '../../etcd/etcd-members.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { awaitKubernetes } from '../../steps/await-kubernetes.js'
import { enableContent } from '../../steps/enable-content.js'
import { beginRecovery, endRecovery } from '../../steps/note-recovery.js'
import { proveIsolation } from '../../steps/prove-isolation.js'
import { pullImage } from '../../steps/pull-image.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { recoverEtcd } from '../../steps/recover-etcd.js'
import { markSurvivor } from '../../steps/restart-survivor.js'
import { retireControlPlane } from '../../steps/retire-control-plane.js'
import { saveEtcd } from '../../steps/save-etcd.js'
import { wipeEtcd } from '../../steps/wipe-etcd.js'
import { findWanted } from '../../work/wanted-machine.js'
import { refuseBeforePlan } from '../before-plan.js'
import { createDraft, type Draft, type StepRef } from '../draft.js'
import { planDeletion } from '../machine/plan-deletion.js'
import { planMachine } from '../machine/plan-machine.js'
import { planReturned } from '../machine/plan-returned.js'
import type { PlannedStep } from '../plan.js'
import { planKeyRecord } from '../plan-key-record.js'
import { holdsEtcd, isControlPlaneSilent, mayHoldEtcd } from './etcd-facts.js'
import { planReturns } from './plan-etcd.js'

/**
 * Restores etcd from a snapshot. First the current state is saved and the intent recorded; then the old etcd is removed
 * from every control plane; then machines are created as usual and etcd is recovered on the first. `up` does the rest.
 */
export function planRestoreRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  const { restore } = desired.cluster
  if (restore === undefined) return []
  refuseBeforePlan('restore', desired, observed)
  const draft = createDraft(desired, observed, round)
  planReturned(draft, observed)
  if (draft.steps.length > 0) return draft.steps
  const recovery = observed.secrets.recovery
  const isBegun = recovery?.snapshot === restore.snapshot && recovery.stage !== 'done'
  // The secrets of the snapshot may be from before a rotation: from now on they are the newest.
  if (isBegun) planKeyRecord(draft, observed)
  if (draft.steps.length > 0) return draft.steps
  if (isBegun && recovery.stage === 'recovering' && hasQuorum(observed)) {
    draft.add(endRecovery, { snapshot: restore.snapshot }, 'an interrupted run did not see it happen')
    return draft.steps
  }
  if (!isBegun || needsClearing(observed)) planClearing(draft, restore, observed)
  if (draft.steps.length === 0) planBuilding(draft, restore, observed)
  return draft.steps
}

/** Once every old member was removed, any etcd that responds is the restored one. */
function hasQuorum({ etcd }: Observed): boolean {
  const found = ifSeen(etcd)
  return found !== undefined && hasMajority(found)
}

function needsClearing({ machines, ...observed }: Observed): boolean {
  return machines.some((machine) => machine.mark.role === 'controlplane' && mayHoldEtcd(machine, observed))
}

function planClearing(draft: Draft, { snapshot }: DesiredRestore, observed: Observed): void {
  const { machines, secrets } = observed
  const isFirst = secrets.recovery?.snapshot !== snapshot || secrets.recovery.stage === 'done'
  const canSave = machines.some((machine) => holdsEtcd(machine, observed))
  const saved = isFirst && canSave ? draft.add(saveEtcd, {}, 'it is replaced') : undefined
  const begun =
    isFirst || secrets.recovery?.stage === 'recovering'
      ? draft.add(beginRecovery, { snapshot }, 'a run that is interrupted is finished by the next', [saved])
      : undefined
  planSurvivors(draft, snapshot, observed, begun)
  for (const machine of machines.filter(({ mark }) => mark.role === 'controlplane'))
    if (mayHoldEtcd(machine, observed)) planOneClearing(draft, machine, observed, begun)
}

/** A machine that responds wipes itself and keeps its VM. One that does not is switched off, deleted and recreated. */
function planOneClearing(
  draft: Draft,
  seen: ObservedMachine,
  observed: Observed,
  begun: ReturnType<Draft['add']> | undefined,
): void {
  const { name: machine } = seen
  if (holdsEtcd(seen, observed) && findWanted(draft.desired, machine) !== undefined) {
    draft.add(wipeEtcd, { machine }, 'it has the old etcd data', [begun])
    return
  }
  const reason = 'it may have the old etcd data and does not respond'
  const retired = draft.add(retireControlPlane, { machine }, reason, [begun])
  planDeletion(draft, seen, { reason, after: [retired] })
}

/** Machines that keep running during the restore are marked before etcd returns, by whichever run gets there. */
function planSurvivors(draft: Draft, snapshot: string, { machines }: Observed, begun?: StepRef): StepRef[] {
  return machines
    .filter((machine) => isSurvivor(machine) && machine.mark.more?.restart !== snapshot)
    .map(({ name: machine }) =>
      draft.add(markSurvivor, { machine, snapshot }, 'it keeps running during the restore', [begun]),
    )
}

/** Running workers. Control planes reboot anyway. */
function isSurvivor({ mark, status }: ObservedMachine): boolean {
  return mark.role === 'worker' && mark.stage === 'made' && status === 'running'
}

function planBuilding(draft: Draft, { snapshot, mustNotReach }: DesiredRestore, observed: Observed): void {
  const { desired } = draft
  const { bootstrapMachine: machine } = desired.cluster
  for (const content of desired.contentToEnable) draft.add(enableContent, content, '--enable-content was given')
  for (const wanted of desired.machines) planMachine(draft, wanted, observed)
  if (desired.cluster.endpoint === undefined || (isControlPlaneSilent(observed) && draft.steps.length > 0)) return
  const reached = draft.refIfPlanned(reachMachine, { machine })
  const proved = mustNotReach === undefined ? [reached] : planProofs(draft, machine, mustNotReach, reached)
  const recovered = draft.add(recoverEtcd, { machine, snapshot }, 'no control plane has etcd data', [
    ...proved,
    ...planSurvivors(draft, snapshot, observed),
    ...planReturns(draft, observed),
  ])
  draft.add(awaitKubernetes, {}, 'etcd is restored', [recovered])
}

/** A machine on a separate bridge reaches no other machine, and gets its images there. */
function planProofs(draft: Draft, machine: string, mustNotReach: readonly string[], reached: StepRef | undefined) {
  const image = findWanted(draft.desired, machine)?.talos?.images?.['kube-apiserver']
  const alone = 'the snapshot belongs to a running cluster'
  const pulled = 'without images nothing starts'
  return [
    reached,
    mustNotReach.length > 0
      ? draft.add(proveIsolation, { machine, from: [...mustNotReach] }, alone, [reached])
      : undefined,
    image === undefined ? undefined : draft.add(pullImage, { machine, image, namespace: 'cri' }, pulled, [reached]),
  ]
}
