import type { NodeInfo } from '../kubernetes/port.js'
import type { Observed } from '../observe/observed.js'
import { hasWantedConfig } from './apply-config.js'
import { findNode } from './join-node.js'
import { kubernetesApi } from './kubernetes-endpoints.js'
import { findAddress } from './node-address.js'
import { withMachine } from './observed-change.js'
import { hasPending } from './reconfigure-vm.js'
import { defineStep, type StepContext } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000
const cordonedBy = 'ichor.dev/cordoned'

/** A cordon of ours, from this run or from one that was interrupted. */
export function isCordonedByUs({ unschedulable, annotations }: NodeInfo): boolean {
  return unschedulable && annotations[cordonedBy] !== undefined
}

/** Its work moves to other nodes before the machine restarts. Not needed any more when nothing waits for a restart. */
export const emptyNode = defineStep<{ machine: string; node: string; keys: readonly string[]; forConfig: boolean }>({
  kind: 'empty-node',
  title: ({ machine }) => `drain ${machine}`,
  changes: true,
  disruptive: true,
  done: async ({ machine, keys, forConfig }, world, context) =>
    !(await hasPending(machine, keys, world, context)) &&
    (!forConfig || (await hasWantedConfig(machine, world, context))),
  async run({ node }, world, context) {
    const api = await kubernetesApi(world, context)
    context.assertLease()
    await api.cordon(node, context.signal)
    await api.drain(node, { timeoutMs: 10 * minute, onProgress: context.note }, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withNodeChange(observed, desired, machine, (node) => ({
      ...node,
      unschedulable: true,
      annotations: { ...node.annotations, [cordonedBy]: 'true' },
    })),
})

/** After a restart: the machine runs with its config, its etcd member votes and its node is Ready, so that the next one may go. */
export const awaitBack = defineStep<{ machine: string; isControlPlane: boolean; isNode: boolean }>({
  kind: 'await-back',
  title: ({ machine }) => `wait for ${machine} to be back`,
  changes: false,
  disruptive: false,
  done: async () => false,
  async run({ machine, isControlPlane, isNode }, world, context) {
    await waitUntil(
      {
        forWhat: `${machine} to be back after its restart`,
        where: `machine ${machine}`,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `Look at its console in Proxmox; ichor logs ${machine} kubelet shows more.`,
      },
      async () => {
        const address = await findAddress(machine, world, context)
        if (address === undefined || !(await hasWantedConfig(machine, world, context))) return undefined
        const talos = world.talos.node({ machine, address })
        if (isControlPlane && /^0*$/.test((await talos.etcd.status(context.signal)).leader)) return undefined
        if (!isNode) return talos.version(context.signal)
        const { ready } = await talos.resources.machineStatus(context.signal)
        return ready && (await findNode(machine, world, context))?.ready ? true : undefined
      },
      world,
      context,
    )
  },
  effect: (_args, observed) => observed,
})

/** The node takes work again; a cordon of somebody else stays. */
export const uncordonNode = defineStep<{ machine: string; node: string }>({
  kind: 'uncordon-node',
  title: ({ machine }) => `let ${machine} take work again`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const node = await findNode(machine, world, context)
    return node !== undefined && !isCordonedByUs(node)
  },
  async run({ node }, world, context) {
    context.assertLease()
    await (await kubernetesApi(world, context)).uncordon(node, context.signal)
  },
  effect: ({ machine }, observed, desired) =>
    withNodeChange(observed, desired, machine, ({ annotations: { [cordonedBy]: _, ...annotations }, ...node }) => ({
      ...node,
      annotations,
      unschedulable: false,
    })),
})

function withNodeChange(
  observed: Observed,
  desired: StepContext['desired'],
  machine: string,
  change: (node: NodeInfo) => NodeInfo,
): Observed {
  return withMachine(observed, desired, machine, ({ node }) => (node === undefined ? {} : { node: change(node) }))
}
