import { z } from 'zod'
import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { guardPause } from '../etcd/etcd-guards.js'
import { KubernetesError } from '../kubernetes/kubernetes-error.js'
import { kubernetesApi } from '../node/kubernetes-api.js'
import { cordoned, findNode, isCordonedByUs, uncordoned } from '../node/kubernetes-node.js'
import { isMet, purposeSchema } from '../node/purpose.js'
import { changeMachine } from '../vm/observed-change.js'
import { findWanted } from '../work/wanted-machine.js'
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
    if (node === undefined) return
    const api = await kubernetesApi(context)
    context.assertLease()
    await api.cordon(node.name, context.signal)
    const options = { ...drainOptions(context.desired), onProgress: context.note }
    await api.drain(node.name, options, context.signal).catch(refuseBudget)
  },
  effect: ({ machine }, model, desired) =>
    changeMachine(model, desired, machine, ({ node }) => (node === undefined ? {} : { node: cordoned(node) })),
})

function drainOptions({ cluster: { roll } }: Desired): { timeoutMs: number; ignoresBudgets: boolean } {
  return { timeoutMs: roll?.drainTimeoutMs ?? defaultTimeoutMs, ignoresBudgets: roll?.ignoresBudgets ?? false }
}

/** How many machines of its pool may be away at the same time; 1 for a machine that is no longer wanted. */
function atOnceWith(machine: string, desired: Desired): number {
  const pool = findWanted(desired, machine)?.machine.pool
  return pool === undefined ? 1 : (desired.cluster.maxUnavailable?.[pool] ?? 1)
}

/** A budget that allows no disruption is intended: waiting longer does not override it. */
function refuseBudget(thrown: unknown): never {
  if (!(thrown instanceof KubernetesError) || thrown.reason !== 'DisruptionBudget') throw thrown
  throw new PlanRefused(thrown.message, { where: thrown.where, fix: thrown.fix, cause: thrown })
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
