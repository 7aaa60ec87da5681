import type { Clock } from '../world.js'
import { fieldsOf, listOf } from './answer.js'
import { awaitDetached } from './attachments.js'
import { isNotFound, KubernetesError } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import type { KubernetesObject } from './port.js'
import type { Transport } from './transport.js'

const podKind = { apiVersion: 'v1', kind: 'Pod' }
const pauseMs = 2_000
const refusedPauseMs = 5_000

export interface DrainOptions {
  readonly timeoutMs: number
  /** After the timeout, pods that a budget still protects are deleted. */
  readonly ignoresBudgets?: boolean
  /** It was drained before: pods that tolerate the cordon have returned, and would again. */
  readonly isAgain?: boolean
  readonly onProgress?: (line: string) => void
}

interface DrainTools {
  readonly objects: ObjectCalls
  readonly transport: Transport
  readonly clock: Clock
}

/**
 * Evicts the pods that exist at the start, as kubectl does: a pod that tolerates the cordon returns under another name,
 * and waiting for those would never end. Evictions are retried until the budgets allow them. Then their volumes must be
 * detached: a node that goes down with volumes keeps them from their pods for minutes.
 */
export async function drainNode(
  tools: DrainTools,
  node: string,
  options: DrainOptions,
  signal: AbortSignal,
): Promise<void> {
  let until = tools.clock.monotonic() + options.timeoutMs
  let isForced = false
  const asked = new Set<string>()
  let pods = (await podsToLeave(tools.objects, node, signal)).filter(
    (pod) => options.isAgain !== true || !toleratesCordon(pod),
  )
  const first = new Set(pods.map(({ metadata }) => metadata.uid))
  while (pods.length > 0) {
    const refusals = new Map<string, string>()
    for (const pod of pods) {
      const refusal = await evict(tools, pod, asked, isForced, options, signal)
      if (refusal !== undefined) refusals.set(nameOf(pod), refusal)
    }
    if (tools.clock.monotonic() > until) {
      if (isForced || refusals.size === 0 || options.ignoresBudgets !== true)
        throw stillThere(node, pods, refusals, options.timeoutMs)
      options.onProgress?.('the time is up: pods that their budgets hold are deleted')
      isForced = true
      until = tools.clock.monotonic() + options.timeoutMs
    }
    await tools.clock.sleep(refusals.size > 0 ? refusedPauseMs : pauseMs, signal)
    pods = (await podsToLeave(tools.objects, node, signal)).filter(({ metadata }) => first.has(metadata.uid))
  }
  await awaitDetached(tools, node, options, signal)
}

async function podsToLeave(objects: ObjectCalls, node: string, signal: AbortSignal): Promise<KubernetesObject[]> {
  const pods = await objects.list(podKind, undefined, { fieldSelector: `spec.nodeName=${node}` }, signal)
  return pods.filter((pod) => !isBound(pod) && !isFinished(pod))
}

/** DaemonSet pods would return at once, and mirror pods belong to the node. */
function isBound(pod: KubernetesObject): boolean {
  const owners = listOf(fieldsOf(pod.metadata).ownerReferences)
  const isMirror = pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  return isMirror || owners.some(({ kind, controller }) => controller === true && kind === 'DaemonSet')
}

function toleratesCordon({ spec }: KubernetesObject): boolean {
  return listOf(fieldsOf(spec).tolerations).some(
    ({ key = '', operator, effect = '' }) =>
      (key === 'node.kubernetes.io/unschedulable' || (key === '' && operator === 'Exists')) &&
      (effect === 'NoSchedule' || effect === ''),
  )
}

function isFinished(pod: KubernetesObject): boolean {
  const { phase } = fieldsOf(pod.status)
  return phase === 'Succeeded' || phase === 'Failed'
}

/** The message of the budget that refuses; `undefined` if the pod is evicted. */
async function evict(
  { transport, objects }: DrainTools,
  pod: KubernetesObject,
  asked: Set<string>,
  isForced: boolean,
  { onProgress }: DrainOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { name = '', namespace = 'default', uid = '' } = pod.metadata
  if (fieldsOf(pod.metadata).deletionTimestamp !== undefined) return undefined
  if (!asked.has(uid)) onProgress?.(`evicting ${namespace}/${name}`)
  asked.add(uid)
  if (isForced) {
    await objects.delete(podKind, namespace, name, signal)
    return undefined
  }
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`
  try {
    await transport.json({ method: 'POST', path, body, verb: 'evict', object: `Pod ${namespace}/${name}` }, signal)
    return undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (error instanceof KubernetesError && (error.status === 429 || error.status === 500)) return error.message
    throw error
  }
}

function nameOf({ metadata: { namespace = 'default', name = '' } }: KubernetesObject): string {
  return `${namespace}/${name}`
}

function stillThere(
  node: string,
  pods: readonly KubernetesObject[],
  refusals: ReadonlyMap<string, string>,
  timeoutMs: number,
): KubernetesError {
  const names = pods.map(nameOf)
  const shown = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
  const [refusal] = refusals.values()
  return new KubernetesError(
    `Node ${node} still runs ${shown} after ${Math.round(timeoutMs / 1000)} s.${refusal === undefined ? '' : ` ${refusal}`}`,
    { verb: 'drain', object: `Node ${node}`, reason: refusal === undefined ? 'Timeout' : 'DisruptionBudget' },
    {
      where: `Node ${node}`,
      fix:
        refusal === undefined
          ? 'Look at why these pods do not end (finalizers, long grace periods), then run again.'
          : 'Give the workload another replica or relax its PodDisruptionBudget, then run again. With roll.ignore_budgets in the inventory, such pods are deleted after the timeout.',
    },
  )
}
