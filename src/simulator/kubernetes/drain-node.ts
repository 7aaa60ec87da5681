import type { ClusterState } from './cluster-state.js'
import { type StoredObject, textAt, withMeta } from './object.js'
import { StatusError } from './status-error.js'
import { evictPod } from './write/evict-pod.js'

/** Marks a node that Talos has cordoned, so that Talos uncordons only those. */
const cordonedKey = 'talos.dev/cordoned'

/** Cordons a node as Talos does before a shutdown, or undoes that. */
export function cordonNode(state: ClusterState, name: string, isCordoned: boolean): void {
  const node = state.objects.find('nodes', undefined, name)
  if (node === undefined) return
  const { [cordonedKey]: mark, ...annotations } = node.metadata.annotations ?? {}
  if (!isCordoned && mark === undefined) return
  const { unschedulable: _, ...spec } = (node.spec ?? {}) as Record<string, unknown>
  const marked = withMeta(node, { annotations: isCordoned ? { ...annotations, [cordonedKey]: 'true' } : annotations })
  state.objects.put('nodes', { ...marked, spec: isCordoned ? { ...spec, unschedulable: true } : spec })
}

/** Requests the eviction of every pod that a drain would move, once; returns the number of remaining pods. */
export function evictPodsOf(state: ClusterState, node: string): number {
  const pods = state.objects.list('pods').filter((pod) => textAt(pod, 'spec', 'nodeName') === node && isDrained(pod))
  for (const { metadata } of pods) {
    if (metadata.deletionTimestamp === undefined) tryToEvict(state, metadata.namespace ?? '', metadata.name)
  }
  return pods.length
}

/** Static and DaemonSet pods stay. */
function isDrained({ metadata }: StoredObject): boolean {
  const isMirror = metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  return !isMirror && metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') !== true
}

function tryToEvict(state: ClusterState, namespace: string, name: string): void {
  try {
    evictPod(state, namespace, name, {})
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
  }
}
