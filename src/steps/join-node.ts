import type { DesiredCluster, DesiredMachine } from '../desired/desired.js'
import { withMember } from '../etcd/planned-etcd.js'
import { unwantedLabels, unwantedTaints } from '../kubernetes/nodes.js'
import type { NodeInfo } from '../kubernetes/port.js'
import { awaitedNode } from '../node/awaited-node.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { findNode, hasLabels, hasTaints, plannedNode } from '../node/kubernetes-node.js'
import { changeMachine } from '../vm/observed-change.js'
import { waitUntil } from '../work/wait-until.js'
import { machineOf } from '../work/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Waits until the machine is a Kubernetes node, matched by system UUID, not by name. */
export const joinNode = defineStep({
  kind: 'join-node',
  args: machineArgs,
  title: ({ machine }) => `wait for ${machine} to join Kubernetes`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, context) => (await awaitedNode(machine, context).catch(() => undefined)) !== undefined,
  async run({ machine }, context) {
    await waitUntil(
      {
        forWhat: `${machine} to join Kubernetes`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 100,
        fix: `ichor logs ${machine} kubelet shows more. Run ichor up again to continue.`,
      },
      () => awaitedNode(machine, context),
      context,
    )
  },
  effect: ({ machine }, model, desired) => {
    const wanted = machineOf(desired, machine)
    const node = plannedNode(wanted, kubeletVersion(desired.cluster))
    changeMachine(model, desired, machine, { node })
    model.setNode(node)
    if (wanted.machine.role === 'controlplane') model.change(({ etcd }) => ({ etcd: withMember(etcd, machine) }))
  },
})

/** Labels and taints that only an admin may set: a kubelet may not assign a role to itself. */
export const labelNode = defineStep({
  kind: 'label-node',
  args: machineArgs,
  title: ({ machine }) => `set labels and taints of node ${machine}`,
  changes: true,
  disruptive: false,
  async done({ machine }, context) {
    const node = await findNode(machine, context).catch(() => undefined)
    return (
      node !== undefined &&
      hasLabels(node, machineOf(context.desired, machine)) &&
      hasTaints(node, machineOf(context.desired, machine).node.taints)
    )
  },
  async run({ machine }, context) {
    const wanted = machineOf(context.desired, machine).node
    const node = await findNode(machine, context)
    if (node === undefined) throw new Error(`node of ${machine} has not joined yet`)
    const api = await kubernetesApi(context)
    context.assertLease()
    if (!hasLabels(node, machineOf(context.desired, machine))) {
      const gone = Object.fromEntries(unwantedLabels(node, wanted.labels).map((key) => [key, null]))
      await api.setNodeLabels(node.name, { ...gone, ...wanted.labels }, context.signal)
    }
    if (!hasTaints(node, wanted.taints)) await api.setNodeTaints(node.name, wanted.taints, context.signal)
  },
  inputs: ({ machine }, desired) => ({ known: () => ({ ...machineOf(desired, machine).node }) }),
  effect: ({ machine }, model, desired) => {
    const wanted = machineOf(desired, machine).node
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: labelled(node, wanted) }))
  },
})

/** The node with the wanted labels and taints, and without those that are no longer wanted. */
function labelled(node: NodeInfo, { labels, taints }: DesiredMachine['node']): NodeInfo {
  const goneLabels = unwantedLabels(node, labels)
  const goneTaints = unwantedTaints(node, taints)
  const kept = Object.entries(node.labels).filter(([key]) => !goneLabels.includes(key))
  return {
    ...node,
    labels: { ...Object.fromEntries(kept), ...labels },
    taints: [...node.taints.filter((taint) => !goneTaints.includes(taint)), ...taints],
  }
}

/** No node joins with a kubelet newer than the API servers. */
function kubeletVersion({ hop, kubernetesVersion }: DesiredCluster): string {
  return hop?.kind === 'kubernetes' ? hop.from : kubernetesVersion
}
