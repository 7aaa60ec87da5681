import { nowStamp } from '../cluster-state.js'
import { type JsonMap, mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { meets } from '../selector.js'
import { type Controller, withCondition } from './controller.js'
import { toleratesNode } from './tolerations.js'

/** The scheduler: the matching node with the fewest pods, or the reason why there is none. */
export const schedulePods: Controller = ({ state }) => {
  const pods = state.objects.list('pods')
  const waiting = pods.filter(
    (pod) => textAt(pod, 'spec', 'nodeName') === undefined && pod.metadata.deletionTimestamp === undefined,
  )
  if (waiting.length === 0) return
  const nodes = state.objects.list('nodes')
  const load = new Map<string, number>()
  for (const pod of pods) {
    const node = textAt(pod, 'spec', 'nodeName')
    if (node !== undefined) load.set(node, (load.get(node) ?? 0) + 1)
  }
  for (const pod of waiting) {
    const fitting = nodes.filter((node) => fits(pod, node, pods))
    const best = fitting.sort((one, other) => loadOf(load, one) - loadOf(load, other))[0]
    if (best === undefined || !hasItsVolumes(pod, state.objects.list('persistentvolumeclaims'))) {
      state.objects.put('pods', unschedulable(pod, nodes.length, nowStamp(state)))
      continue
    }
    load.set(best.metadata.name, loadOf(load, best) + 1)
    state.objects.put('pods', bound(pod, best.metadata.name, nowStamp(state)))
  }
}

function loadOf(load: ReadonlyMap<string, number>, node: StoredObject): number {
  return load.get(node.metadata.name) ?? 0
}

function fits(pod: StoredObject, node: StoredObject, pods: readonly StoredObject[]): boolean {
  if (mapAt(node, 'spec').unschedulable === true && !toleratesUnschedulable(pod)) return false
  if (!toleratesNode(pod, node)) return false
  if (hasHostPortClash(pod, node.metadata.name, pods)) return false
  return matchesNode(pod, node)
}

/** Node selector and required node affinity. */
export function matchesNode(pod: unknown, node: StoredObject): boolean {
  const labels = node.metadata.labels ?? {}
  const wanted = Object.entries(mapAt(pod, 'spec', 'nodeSelector'))
  if (!wanted.every(([key, value]) => labels[key] === value)) return false
  const required = 'requiredDuringSchedulingIgnoredDuringExecution'
  const terms = mapsAt(pod, 'spec', 'affinity', 'nodeAffinity', required, 'nodeSelectorTerms')
  return terms.length === 0 || terms.some((term) => mapsAt(term, 'matchExpressions').every((one) => meets(one, labels)))
}

function toleratesUnschedulable(pod: StoredObject): boolean {
  return mapsAt(pod, 'spec', 'tolerations').some(
    (one: JsonMap) =>
      one.operator === 'Exists' && (one.key === undefined || one.key === 'node.kubernetes.io/unschedulable'),
  )
}

function hostPortsOf(pod: unknown): number[] {
  return mapsAt(pod, 'spec', 'containers').flatMap((container) =>
    mapsAt(container, 'ports').flatMap((port) => (typeof port.hostPort === 'number' ? [port.hostPort] : [])),
  )
}

function hasHostPortClash(pod: StoredObject, node: string, pods: readonly StoredObject[]): boolean {
  const wanted = hostPortsOf(pod)
  if (wanted.length === 0) return false
  return pods.some(
    (other) => textAt(other, 'spec', 'nodeName') === node && hostPortsOf(other).some((port) => wanted.includes(port)),
  )
}

function hasItsVolumes(pod: StoredObject, claims: readonly StoredObject[]): boolean {
  const wanted = mapsAt(pod, 'spec', 'volumes').flatMap(
    (volume) => textAt(volume, 'persistentVolumeClaim', 'claimName') ?? [],
  )
  return wanted.every((name) =>
    claims.some(
      (claim) =>
        claim.metadata.name === name &&
        claim.metadata.namespace === pod.metadata.namespace &&
        textAt(claim, 'status', 'phase') === 'Bound',
    ),
  )
}

function bound(pod: StoredObject, nodeName: string, stamp: string): StoredObject {
  const conditions = withCondition(pod, { type: 'PodScheduled', status: 'True' }, stamp)
  return { ...pod, spec: { ...mapAt(pod, 'spec'), nodeName }, status: { ...mapAt(pod, 'status'), conditions } }
}

function unschedulable(pod: StoredObject, nodes: number, stamp: string): StoredObject {
  const message = `0/${nodes} nodes are available: none fits its tolerations, node selector, host ports or volumes.`
  const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
  return { ...pod, status: { ...mapAt(pod, 'status'), conditions: withCondition(pod, condition, stamp) } }
}
