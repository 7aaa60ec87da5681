import { canLeave } from '../cluster/quorum.js'
import { PlanRefused } from '../errors.js'
import type { World } from '../world.js'
import { askEtcdNow } from './etcd-now.js'
import { guardIdentity } from './guard-identity.js'
import { kubernetesApi } from './kubernetes-endpoints.js'
import { withMachine } from './observed-change.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** Cordoned and emptied, with every PodDisruptionBudget respected. */
export const drainNode = defineStep<{ machine: string; node: string }>({
  kind: 'drain-node',
  title: ({ machine }) => `drain ${machine}`,
  changes: true,
  disruptive: true,
  done: async ({ node }, world, context) => (await findNamed(node, world, context)) === undefined,
  async run({ node }, world, context) {
    const api = await kubernetesApi(world, context)
    context.assertLease()
    await api.cordon(node, context.signal)
    await api.drain(node, { timeoutMs: 10 * minute, onProgress: context.note }, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ node }) =>
      node === undefined ? {} : { node: { ...node, unschedulable: true } },
    ),
})

/** A graceful reset: the node leaves etcd, wipes what it knew and switches off. */
export const resetMachine = defineStep<{ machine: string; address: string; isControlPlane: boolean }>({
  kind: 'reset-machine',
  title: ({ machine, isControlPlane }) =>
    isControlPlane ? `take ${machine} out of etcd and reset it` : `reset ${machine}`,
  changes: true,
  disruptive: true,
  async done({ machine }, world, context) {
    const seen = context.observed.machines.find(({ name }) => name === machine)
    if (seen === undefined) return true
    const status = await world.proxmox.machines.findStatus(seen, context.signal)
    return status === undefined || status.status === 'stopped'
  },
  async guard({ machine, address, isControlPlane }, world, context) {
    await guardIdentity(machine, address, world, context)
    if (isControlPlane) await guardMajority(machine, world, context)
  },
  async run({ machine, address }, world, context) {
    const seen = context.observed.machines.find(({ name }) => name === machine)
    context.assertLease()
    await world.talos
      .node({ machine, address })
      .reset({ graceful: true, reboot: false, systemPartitions: ['STATE', 'EPHEMERAL'] }, context.signal)
    await waitUntil(
      {
        forWhat: `${machine} to reset and switch off`,
        where: `machine ${machine}`,
        timeoutMs: 10 * minute,
        intervalMs: 1000,
        fix: 'Running ichor up again goes on from here.',
      },
      async () => {
        const status = seen === undefined ? undefined : await world.proxmox.machines.findStatus(seen, context.signal)
        return status === undefined || status.status === 'stopped' ? true : undefined
      },
      world,
      context,
    )
  },
  effect: ({ machine }, observed, desired) => ({
    ...withMachine(observed, desired, machine, { status: 'stopped', talos: { reach: 'off' } }),
    ...(observed.etcd === undefined
      ? {}
      : { etcd: { ...observed.etcd, members: observed.etcd.members.filter(({ hostname }) => hostname !== machine) } }),
  }),
})

/** The Node object, which Talos leaves behind. */
export const deleteNode = defineStep<{ machine: string; node: string }>({
  kind: 'delete-node',
  title: ({ node }) => `delete node ${node} from Kubernetes`,
  changes: true,
  disruptive: false,
  done: async ({ node }, world, context) => (await findNamed(node, world, context)) === undefined,
  async run({ node }, world, context) {
    context.assertLease()
    await (await kubernetesApi(world, context)).deleteNode(node, context.signal)
  },
  effect: ({ node }, observed) => ({
    ...observed,
    ...(observed.kubernetes === undefined
      ? {}
      : {
          kubernetes: { ...observed.kubernetes, nodes: observed.kubernetes.nodes.filter(({ name }) => name !== node) },
        }),
  }),
})

/** On facts read now: the members that remain must still have their majority. */
async function guardMajority(machine: string, world: World, context: StepContext): Promise<void> {
  const { members, healthy } = await askEtcdNow(world, context)
  if (canLeave(members.length, healthy.size)) return
  throw new PlanRefused(
    `etcd has ${members.length} members, ${healthy.size} of them healthy: without ${machine} it would lose its majority.`,
    {
      where: `machine ${machine}`,
      fix: 'Bring the other control planes back first: ichor status shows which one is missing.',
    },
  )
}

async function findNamed(node: string, world: World, context: StepContext) {
  const nodes = await (await kubernetesApi(world, context)).nodes(context.signal)
  return nodes.find(({ name }) => name === node)
}
