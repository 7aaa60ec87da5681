import { awaitedNode } from '../node/awaited-node.js'
import { findAddress } from '../node/node-address.js'
import { changeMachine } from '../vm/observed-change.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Waits until the node is Ready. */
export const awaitReady = defineStep({
  kind: 'await-ready',
  args: machineArgs,
  title: ({ machine }) => `wait for node ${machine} to be Ready`,
  changes: false,
  disruptive: false,
  done: ({ machine }, context) => isReady(machine, context).catch(() => false),
  async run({ machine }, context) {
    await waitUntil(
      {
        forWhat: `node ${machine} to be Ready`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 100,
        fix: `ichor logs ${machine} kubelet shows more. Without a network addon nodes stay NotReady.`,
      },
      async () => ((await isReady(machine, context)) ? true : undefined),
      context,
    )
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node, talos }) => ({
      ...(node === undefined ? {} : { node: { ...node, ready: true } }),
      talos: talos.reach === 'secured' ? { ...talos, stage: 'running', ready: true } : talos,
    })),
})

/**
 * A restored etcd may list nodes of former VMs as Ready, so the kubelet itself is checked. A new cluster has no such
 * nodes.
 */
async function isReady(machine: string, context: WorkContext): Promise<boolean> {
  const node = await awaitedNode(machine, context)
  if (node?.ready !== true || node.bootId === undefined || !context.observed.secrets.bootstrapped)
    return node?.ready === true
  const address = await findAddress(machine, context)
  if (address === undefined) return false
  return node.bootId === (await context.talos.node({ machine, address }).bootId(context.signal))
}
