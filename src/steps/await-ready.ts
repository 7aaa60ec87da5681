import { findNode } from '../machine/kubernetes-node.js'
import { changeMachine } from '../machine/observed-change.js'
import { waitUntil } from '../machine/wait-until.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** The node takes work. */
export const awaitReady = defineStep({
  kind: 'await-ready',
  args: machineArgs,
  title: ({ machine }) => `wait for node ${machine} to be Ready`,
  changes: false,
  disruptive: false,
  done: async ({ machine }, world, context) =>
    (await findNode(machine, world, context).catch(() => undefined))?.ready ?? false,
  async run({ machine }, world, context) {
    await waitUntil(
      {
        forWhat: `node ${machine} to be Ready`,
        where: `machine ${machine}`,
        machine,
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet shows more. Without a network addon nodes stay NotReady.`,
      },
      async () => ((await findNode(machine, world, context))?.ready === true ? true : undefined),
      world,
      context,
    )
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node, talos }) => ({
      ...(node === undefined ? {} : { node: { ...node, ready: true } }),
      talos: talos.reach === 'secured' ? { ...talos, stage: 'running', ready: true } : talos,
    })),
})
