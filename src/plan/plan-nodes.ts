import { hasLabels, hasTaints } from '../node/kubernetes-node.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { awaitKubernetes } from '../steps/await-kubernetes.js'
import { bootstrapEtcd } from '../steps/bootstrap-etcd.js'
import { joinNode, labelNode } from '../steps/join-node.js'
import { reachMachine } from '../steps/reach-machine.js'
import { rebootWithConfig } from '../steps/reboot-with-config.js'
import { restartVm } from '../steps/reconfigure-vm.js'
import { restartKubelet } from '../steps/restart-kubelet.js'
import { findSeen } from '../work/wanted-machine.js'
import type { Draft, StepRef } from './draft.js'

type After = readonly (StepRef | undefined)[]

/** Machines become nodes when their kubelets start. Waits for them and adds what only an admin may add. */
export function planNodes(draft: Draft, observed: Observed, leaving: ReadonlySet<string>): void {
  const { desired } = draft
  const reached = desired.machines
    .filter(({ machine }) => machine.role === 'controlplane')
    .map(({ machine }) => draft.refIfPlanned(reachMachine, { machine: machine.name }))
  const isThere = observed.kubernetes.seen && observed.kubernetes.value !== undefined
  const api = isThere
    ? undefined
    : draft.add(awaitKubernetes, {}, 'it does not answer yet', [
        draft.refIfPlanned(bootstrapEtcd, { machine: desired.cluster.bootstrapMachine }),
        ...reached,
      ])
  for (const wanted of desired.machines) {
    const machine = wanted.machine.name
    if (leaving.has(machine)) continue
    const seen = findSeen(observed, machine)
    const node = seen?.node
    if (seen === undefined && draft.refIfPlanned(reachMachine, { machine }) === undefined) continue
    const joined = node === undefined ? planJoin(draft, machine, seen, isThere, api) : undefined
    const isMissing =
      node === undefined
        ? hasLabelsOrTaints(wanted.node)
        : !(hasLabels(node, wanted) && hasTaints(node, wanted.node.taints))
    if (isMissing) draft.add(labelNode, { machine }, 'its labels or taints differ', [joined])
  }
}

/** If Kubernetes responds, a node that is not listed does not exist. */
function planJoin(
  draft: Draft,
  machine: string,
  seen: ObservedMachine | undefined,
  isThere: boolean,
  api: StepRef | undefined,
): StepRef {
  const before = [api, draft.refIfPlanned(reachMachine, { machine }), draft.refIfPlanned(awaitBack, { machine })]
  const gone = 'its node is gone from Kubernetes'
  const restarted = isThere ? planKubelet(draft, seen, gone, before) : undefined
  const reason = restarted === undefined ? 'it is not a node yet' : gone
  return draft.add(joinNode, { machine }, reason, [...before, draft.refIfPlanned(restartKubelet, { machine })])
}

/**
 * A running kubelet does not register its node again. Returns the step that restarts it, unless the kubelet has not
 * started yet or starts in this round anyway.
 */
export function planKubelet(
  draft: Draft,
  seen: ObservedMachine | undefined,
  reason: string,
  before: After,
): StepRef | undefined {
  if (seen === undefined || !hasStarted(seen) || restarts(draft, seen.name)) return undefined
  return draft.add(restartKubelet, { machine: seen.name }, reason, before)
}

/** The machine has finished booting, so its kubelet has started. */
function hasStarted({ mark, talos }: ObservedMachine): boolean {
  return mark.stage === 'made' && talos.reach === 'secured' && talos.stage === 'running'
}

function restarts({ refIfPlanned }: Draft, machine: string): boolean {
  return refIfPlanned(restartVm, { machine }) !== undefined || refIfPlanned(rebootWithConfig, { machine }) !== undefined
}

function hasLabelsOrTaints({
  labels,
  taints,
}: {
  labels: Readonly<Record<string, string>>
  taints: readonly unknown[]
}): boolean {
  return Object.keys(labels).length > 0 || taints.length > 0
}
