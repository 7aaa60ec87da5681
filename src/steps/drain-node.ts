import { z } from 'zod'
import { PlanRefused } from '../errors.js'
import { KubernetesError } from '../kubernetes/kubernetes-error.js'
import { kubernetesApi } from '../machine/kubernetes-api.js'
import { cordoned, findNode, isCordonedByUs, uncordoned } from '../machine/kubernetes-node.js'
import { changeMachine } from '../machine/observed-change.js'
import { isMet, purposeSchema } from '../machine/purpose.js'
import { defineStep, machineArgs } from './step.js'

const defaultTimeoutMs = 600_000

/** Moves its pods to other nodes before the disruption, respecting every PodDisruptionBudget. */
export const drainNode = defineStep({
  kind: 'drain-node',
  args: z.strictObject({ machine: z.string(), purpose: purposeSchema }),
  title: ({ machine }) => `drain ${machine}`,
  changes: true,
  disruptive: true,
  softens: true,
  done: ({ machine, purpose }, world, context) => isMet(purpose, machine, world, context),
  async run({ machine, purpose }, world, context) {
    const node = await findNode(machine, world, context)
    if (node === undefined) return
    const api = await kubernetesApi(world, context)
    const { drainTimeoutMs = defaultTimeoutMs, ignoresBudgets = false } = context.desired.cluster.roll ?? {}
    const isForGood = purpose.leave === true
    context.assertLease()
    await api.cordon(node.name, context.signal)
    const options = { timeoutMs: drainTimeoutMs, ignoresBudgets, isForGood, onProgress: context.note }
    await api.drain(node.name, options, context.signal).catch(refuseBudget)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: cordoned(node) })),
})

/** A budget that allows no disruption is intended: waiting longer does not override it. */
function refuseBudget(thrown: unknown): never {
  if (!(thrown instanceof KubernetesError) || thrown.reason !== 'DisruptionBudget') throw thrown
  throw new PlanRefused(thrown.message, { where: thrown.where, fix: thrown.fix, cause: thrown })
}

/** Uncordons the node. A cordon set by someone else stays. */
export const uncordonNode = defineStep({
  kind: 'uncordon-node',
  args: machineArgs,
  title: ({ machine }) => `let ${machine} take work again`,
  changes: true,
  disruptive: false,
  restores: true,
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
