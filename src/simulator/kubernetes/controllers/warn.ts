import { type ClusterState, nowStamp } from '../cluster-state.js'
import type { StoredObject } from '../object.js'

/** A Warning event for a pod; a repetition only increases its count. */
export function warn(state: ClusterState, pod: StoredObject, reason: string, message: string): void {
  const { name, namespace = 'default', uid = '' } = pod.metadata
  const eventName = `${name}.${reason.toLowerCase()}`
  const known = state.objects.find('events', namespace, eventName)
  const stamp = nowStamp(state)
  state.objects.put('events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: known?.metadata ?? { name: eventName, namespace, uid: state.nextUid(), creationTimestamp: stamp },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
    type: 'Warning',
    reason,
    message,
    source: { component: 'kubelet' },
    firstTimestamp: known?.firstTimestamp ?? stamp,
    lastTimestamp: stamp,
    count: Number(known?.count ?? 0) + 1,
  })
}
