import { type JsonMap, mapsAt, type StoredObject } from '../object.js'

/** Whether a pod tolerates all taints of a node that block new pods. */
export function toleratesNode(pod: unknown, node: StoredObject, extra: readonly JsonMap[] = []): boolean {
  const tolerations = [...mapsAt(pod, 'spec', 'tolerations'), ...extra]
  return mapsAt(node, 'spec', 'taints')
    .filter((taint) => taint.effect !== 'PreferNoSchedule')
    .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)))
}

export function tolerates(toleration: JsonMap, taint: JsonMap): boolean {
  if (toleration.effect !== undefined && toleration.effect !== '' && toleration.effect !== taint.effect) return false
  if (toleration.operator === 'Exists')
    return toleration.key === undefined || toleration.key === '' || toleration.key === taint.key
  return toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? '')
}

/** What the DaemonSet controller adds to each of its pods. */
export const daemonTolerations: readonly JsonMap[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/network-unavailable', operator: 'Exists', effect: 'NoSchedule' },
]
