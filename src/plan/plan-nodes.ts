import type { Observed } from '../observe/observed.js'
import { hasLabels, hasTaints } from '../steps/join-node.js'
import type { Draft } from './draft.js'

/** Machines become nodes by themselves; we wait for them and add what only an admin may add. */
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
    const node = observed.machines.find(({ name }) => name === machine)?.node
    const joined =
      node === undefined
        ? draft.add('join-node', { machine }, 'it is not a node yet', [api, `reach-machine:${machine}`])
        : undefined
    const isMissing =
      node === undefined ? hasWishes(wanted.node) : !(hasLabels(node, wanted) && hasTaints(node, wanted.node.taints))
    if (isMissing) draft.add('label-node', { machine }, 'labels or taints are missing', [joined])
  }
}

function hasWishes({
  labels,
  taints,
}: {
  labels: Readonly<Record<string, string>>
  taints: readonly unknown[]
}): boolean {
  return Object.keys(labels).length > 0 || taints.length > 0
}
