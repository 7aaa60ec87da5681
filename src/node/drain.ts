import type { Desired } from '../desired/desired.js'
import { blockedEviction } from '../findings/refusals/kubernetes.js'
import { KubernetesError } from '../kubernetes/kubernetes-error.js'
import type { NodeInfo } from '../kubernetes/port.js'
import type { WorkContext } from '../work/work-context.js'
import { kubernetesApi } from './kubernetes-api.js'
import { findNode, isCordonedByUs } from './kubernetes-node.js'

const defaultTimeoutMs = 600_000

export function drainOptions({ cluster: { roll } }: Pick<Desired, 'cluster'>): {
  timeoutMs: number
  ignoresBudgets: boolean
} {
  return { timeoutMs: roll?.drainTimeoutMs ?? defaultTimeoutMs, ignoresBudgets: roll?.ignoresBudgets ?? false }
}

/** Moves its pods to other nodes, respecting every PodDisruptionBudget. */
export async function drain(
  { name }: Pick<NodeInfo, 'name'>,
  context: WorkContext,
  more: { readonly isAgain?: boolean } = {},
): Promise<void> {
  const api = await kubernetesApi(context)
  context.assertLease()
  await api.cordon(name, context.signal)
  const options = { ...drainOptions(context.desired), ...more, onProgress: context.note }
  await api.drain(name, options, context.signal).catch(refuseBudget)
}

/**
 * Right before a node is wiped: the scheduler may have bound a pod before it saw the cordon, or the node was not Ready
 * when the run began and was not drained. Without Kubernetes there is nothing to ask.
 */
export async function drainRest(machine: string, context: WorkContext): Promise<void> {
  if (!context.observed.kubernetes.seen || context.desired.cluster.intent.newEtcd) return
  const node = await findNode(machine, context)
  if (node?.ready === true) await drain(node, context, { isAgain: isCordonedByUs(node) })
}

/** A budget that allows no disruption is intended: waiting longer does not override it. */
function refuseBudget(thrown: unknown): never {
  if (!(thrown instanceof KubernetesError) || thrown.reason !== 'DisruptionBudget') throw thrown
  throw blockedEviction.refuse(thrown.message, {
    subject: { kind: 'object', name: thrown.where },
    where: thrown.where,
    fix: thrown.fix,
    cause: thrown,
  })
}
