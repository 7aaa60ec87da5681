import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { guardPause } from '../etcd/etcd-guards.js'
import { drain, drainOptions } from '../node/drain.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { cordoned, findNode, isCordonedByUs, uncordoned } from '../node/kubernetes-node.js'
import { isMet, purposeSchema } from '../node/purpose.js'
import { changeMachine } from '../vm/observed-change.js'
import { findWanted } from '../work/wanted-machine.js'
import { defineStep, machineArgs } from './step.js'

/** Moves its pods to other nodes before the disruption, respecting every PodDisruptionBudget. */
export const drainNode = defineStep({
  kind: 'drain-node',
  args: z.strictObject({ machine: z.string(), purpose: purposeSchema }),
  title: ({ machine }) => `drain ${machine}`,
  changes: true,
  disruptive: true,
  softens: true,
  follows: true,
  inputs: ({ machine }, desired) => ({
    known: () => ({ ...drainOptions(desired), atOnce: atOnceWith(machine, desired) }),
  }),
  done: ({ machine, purpose }, context) => isMet(purpose, machine, context),
  // What would be refused afterwards leaves no cordon.
  guard: async ({ machine, purpose }, context) => {
    if (purpose.leave !== true) await guardPause(machine, context)
  },
  async run({ machine }, context) {
    const node = await findNode(machine, context)
    if (node !== undefined) await drain(node, context)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: cordoned(node) })),
})

/** How many machines of its pool may be away at the same time; 1 for a machine that is no longer wanted. */
function atOnceWith(machine: string, desired: Desired): number {
  const pool = findWanted(desired, machine)?.machine.pool
  return pool === undefined ? 1 : (desired.cluster.maxUnavailable?.[pool] ?? 1)
}

/** Uncordons the node, and waits until volumes are attached again. A cordon set by someone else stays. */
export const uncordonNode = defineStep({
  kind: 'uncordon-node',
  args: machineArgs,
  title: ({ machine }) => `let ${machine} take work again`,
  changes: true,
  disruptive: false,
  restores: true,
  follows: true,
  async done({ machine }, context) {
    const node = await findNode(machine, context)
    return node !== undefined && !isCordonedByUs(node)
  },
  async run({ machine }, context) {
    const node = await findNode(machine, context)
    if (node === undefined) throw new Error(`node of ${machine} has not joined yet`)
    context.assertLease()
    const waiting = { timeoutMs: drainOptions(context.desired).timeoutMs, onProgress: context.note }
    await (await kubernetesApi(context)).uncordon(node.name, waiting, context.signal)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: uncordoned(node) })),
})
