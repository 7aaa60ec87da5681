import type { Taint } from '../cluster/machine.js'
import type { DesiredMachine } from '../desired/desired.js'
import { unwantedLabels, unwantedTaints } from '../kubernetes/nodes.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { World } from '../world.js'
import { kubernetesApi } from './kubernetes-endpoints.js'
import { withMachine } from './observed-change.js'
import { machineOf } from './owned-vm.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** The machine has become a Kubernetes node; it is known by its system UUID, not by its name. */
export const joinNode = defineStep<{ machine: string }>({
  kind: 'join-node',
  title: ({ machine }) => `wait for ${machine} to join Kubernetes`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await findNode(machine, world, context).catch(() => undefined)) !== undefined,
  async run({ machine }, world, context) {
    await waitUntil(
      {
        forWhat: `${machine} to join Kubernetes`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet shows more. Running ichor up again goes on from here.`,
      },
      () => findNode(machine, world, context),
      world,
      context,
    )
  },
  effect: ({ machine }, observed, desired) =>
    withNode(observed, desired, machine, plannedNode(machineOf(desired, machine), desired.cluster.kubernetesVersion)),
})

/** Labels and taints that only an admin may set: a kubelet may not give itself a role. */
export const labelNode = defineStep<{ machine: string }>({
  kind: 'label-node',
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
  effect: ({ machine }, observed, desired) => {
    const { node } = machineOf(desired, machine)
    const unwanted = (before: NodeInfo) => unwantedTaints(before, node.taints)
    const withoutLabels = (before: NodeInfo) => {
      const gone = unwantedLabels(before, node.labels)
      return Object.fromEntries(Object.entries(before.labels).filter(([key]) => !gone.includes(key)))
    }
    return withMachine(observed, desired, machine, ({ node: before }) =>
      before === undefined
        ? {}
        : {
            node: {
              ...before,
              labels: { ...withoutLabels(before), ...node.labels },
              taints: [...before.taints.filter((taint) => !unwanted(before).includes(taint)), ...node.taints],
            },
          },
    )
  },
})

/** As `hasTaints`. */
export function hasLabels(node: NodeInfo, { node: { labels } }: DesiredMachine): boolean {
  if (unwantedLabels(node, labels).length > 0) return false
  return Object.entries(labels).every(([key, value]) => node.labels[key] === value)
}

/** All that are wanted, and none that was wanted before. */
export function hasTaints(node: NodeInfo, taints: readonly Taint[]): boolean {
  if (unwantedTaints(node, taints).length > 0) return false
  return taints.every((wanted) =>
    node.taints.some(
      (taint) =>
        taint.key === wanted.key && taint.effect === wanted.effect && (taint.value ?? '') === (wanted.value ?? ''),
    ),
  )
}

export async function findNode(machine: string, world: World, context: StepContext): Promise<NodeInfo | undefined> {
  const { uuid } = machineOf(context.desired, machine).machine.identity
  const nodes = await (await kubernetesApi(world, context)).nodes(context.signal)
  return nodes.find((node) => node.systemUuid.toLowerCase() === uuid)
}

function withNode(
  observed: Parameters<typeof withMachine>[0],
  desired: StepContext['desired'],
  machine: string,
  node: NodeInfo,
) {
  const joined = withMachine(observed, desired, machine, { node })
  if (joined.kubernetes === undefined) return joined
  const nodes = [...joined.kubernetes.nodes.filter(({ systemUuid }) => systemUuid !== node.systemUuid), node]
  return { ...joined, kubernetes: { ...joined.kubernetes, nodes } }
}

function plannedNode({ machine }: DesiredMachine, kubernetesVersion: string): NodeInfo {
  return {
    name: machine.name,
    systemUuid: machine.identity.uuid,
    ready: true,
    unschedulable: false,
    kubeletVersion: kubernetesVersion,
    internalAddresses: [],
    labels: machine.labels,
    taints: [],
    annotations: {},
  }
}
