import type { Observed, ObservedMachine } from '../observe/observed.js'
import { hasLabels, hasTaints } from '../steps/join-node.js'
import type { Draft } from './draft.js'

/** Machines become nodes when their kubelets start; we wait for them and add what only an admin may add. */
export function planNodes(draft: Draft, observed: Observed): void {
  const answers = observed.kubernetes !== undefined
  const bootstrapped = `bootstrap-etcd:${draft.desired.cluster.bootstrapMachine}`
  const reached = draft.desired.machines
    .filter(({ machine }) => machine.role === 'controlplane')
    .map(({ machine }) => `reach-machine:${machine.name}`)
  const api = answers
    ? undefined
    : draft.add('await-kubernetes', {}, 'it does not answer yet', [bootstrapped, ...reached])
  for (const wanted of draft.desired.machines) {
    const machine = wanted.machine.name
    const seen = observed.machines.find(({ name }) => name === machine)
    const node = seen?.node
    const joined = node === undefined ? planJoin(draft, machine, seen, observed, api) : undefined
    const isMissing =
      node === undefined
        ? hasLabelsOrTaints(wanted.node)
        : !(hasLabels(node, wanted) && hasTaints(node, wanted.node.taints))
    if (isMissing) draft.add('label-node', { machine }, 'its labels or taints differ', [joined])
  }
}

/** What is not seen is gone where Kubernetes answers. */
function planJoin(
  draft: Draft,
  machine: string,
  seen: ObservedMachine | undefined,
  observed: Observed,
  api: string | undefined,
): string {
  const before = [api, `reach-machine:${machine}`, `await-back:${machine}`]
  const gone = 'its node is gone from Kubernetes'
  const restarted = observed.kubernetes === undefined ? undefined : planKubelet(draft, seen, gone, before)
  const reason = restarted === undefined ? 'it is not a node yet' : gone
  return draft.add('join-node', { machine }, reason, [...before, `restart-kubelet:${machine}`])
}

/**
 * A kubelet that runs already does not register its node again by itself. Gives the step that restarts it, unless it has
 * not started yet or starts in this round anyway.
 */
export function planKubelet(
  draft: Draft,
  seen: ObservedMachine | undefined,
  reason: string,
  before: readonly (string | undefined)[],
): string | undefined {
  if (seen === undefined || !hasStarted(seen) || restarts(draft, seen.name)) return undefined
  return draft.add('restart-kubelet', { machine: seen.name }, reason, before)
}

/** It is past its boot, and so is its kubelet. */
function hasStarted({ mark, talos }: ObservedMachine): boolean {
  return mark.stage === 'made' && talos.reach === 'secured' && talos.stage === 'running'
}

function restarts({ has }: Draft, machine: string): boolean {
  return has(`restart-vm:${machine}`) || has(`reboot-with-config:${machine}`)
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
