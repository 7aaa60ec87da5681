import type { DesiredCluster, DesiredMachine } from '../desired/desired.js'
import { unwantedLabels, unwantedTaints } from '../kubernetes/nodes.js'
import type { NodeInfo } from '../kubernetes/port.js'
import { awaitedNode } from '../machine/awaited-node.js'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import { findNode, hasLabels, hasTaints, plannedNode } from '../machine/kubernetes-node.js'
import { changeMachine } from '../machine/observed-change.js'
import { withMember } from '../machine/planned-etcd.js'
import { waitUntil } from '../machine/wait-until.js'
import { machineOf } from '../machine/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Waits until the machine is a Kubernetes node, matched by system UUID, not by name. */
export const joinNode = defineStep({
  kind: 'join-node',
  args: machineArgs,
  title: ({ machine }) => `wait for ${machine} to join Kubernetes`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await awaitedNode(machine, world, context).catch(() => undefined)) !== undefined,
  async run({ machine }, world, context) {
    await waitUntil(
      {
        forWhat: `${machine} to join Kubernetes`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 100,
        fix: `ichor logs ${machine} kubelet shows more. Run ichor up again to continue.`,
      },
      () => awaitedNode(machine, world, context),
      world,
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
  async done({ machine }, world, context) {
    const node = await findNode(machine, world, context).catch(() => undefined)
    return (
      node !== undefined &&
      hasLabels(node, machineOf(context.desired, machine)) &&
      hasTaints(node, machineOf(context.desired, machine).node.taints)
    )
  },
  async run({ machine }, world, context) {
    const wanted = machineOf(context.desired, machine).node
    const node = await findNode(machine, world, context)
    if (node === undefined) throw new Error(`node of ${machine} has not joined yet`)
    const api = await kubernetesApi(world, context)
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
