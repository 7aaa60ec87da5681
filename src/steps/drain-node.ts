import { z } from 'zod'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import { cordoned, findNode, isCordonedByUs, uncordoned } from '../machine/kubernetes-node.js'
import { changeMachine } from '../machine/observed-change.js'
import { isMet, purposeSchema } from '../machine/purpose.js'
import { defineStep, machineArgs } from './step.js'

const minute = 60_000

/** Its work moves to other nodes before the machine goes, with every PodDisruptionBudget respected. */
export const drainNode = defineStep({
  kind: 'drain-node',
  args: z.strictObject({ machine: z.string(), purpose: purposeSchema }),
  title: ({ machine }) => `drain ${machine}`,
  changes: true,
  disruptive: true,
  done: ({ machine, purpose }, world, context) => isMet(purpose, machine, world, context),
  async run({ machine }, world, context) {
    const node = await findNode(machine, world, context)
    if (node === undefined) return
    const api = await kubernetesApi(world, context)
    context.assertLease()
    await api.cordon(node.name, context.signal)
    await api.drain(node.name, { timeoutMs: 10 * minute, onProgress: context.note }, context.signal)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: cordoned(node) })),
})

/** The node takes work again; a cordon of somebody else stays. */
export const uncordonNode = defineStep({
  kind: 'uncordon-node',
  args: machineArgs,
  title: ({ machine }) => `let ${machine} take work again`,
  changes: true,
  disruptive: false,
  async done({ machine }, world, context) {
    const node = await findNode(machine, world, context)
    return node !== undefined && !isCordonedByUs(node)
  },
  async run({ machine }, world, context) {
    const node = await findNode(machine, world, context)
    if (node === undefined) throw new Error(`node of ${machine} has not joined yet`)
    context.assertLease()
    await (await kubernetesApi(world, context)).uncordon(node.name, context.signal)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: uncordoned(node) })),
})
