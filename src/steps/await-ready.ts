import { findNode } from './join-node.js'
import { withMachine } from './observed-change.js'
import { defineStep } from './step.js'
import { waitUntil } from './waiting.js'

const minute = 60_000

/** The node takes work. */
export const awaitReady = defineStep<{ machine: string }>({
  kind: 'await-ready',
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
        timeoutMs: 15 * minute,
        intervalMs: 1000,
        fix: `ichor logs ${machine} kubelet shows more. Without a network addon nodes stay NotReady.`,
      },
      async () => ((await findNode(machine, world, context))?.ready === true ? true : undefined),
      world,
      context,
    )
  },
  effect: ({ machine }, observed, desired) =>
    withMachine(observed, desired, machine, ({ node, talos }) => ({
      ...(node === undefined ? {} : { node: { ...node, ready: true } }),
      talos: talos.reach === 'secured' ? { ...talos, stage: 'running', ready: true } : talos,
    })),
})
