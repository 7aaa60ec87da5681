import type { ClusterState } from '../cluster-state.js'
import { mapAt, type StoredObject, textAt } from '../object.js'
import { isReady } from './controller.js'

/** A booting node restarts its pods; completed ones stay completed. */
export function restartPodsOf(state: ClusterState, node: string): void {
  for (const pod of state.objects.list('pods'))
    if (textAt(pod, 'spec', 'nodeName') === node && textAt(pod, 'status', 'phase') === 'Running')
      state.objects.put('pods', fromNothing(pod))
  const known = state.objects.find('nodes', undefined, node)
  if (known !== undefined && isReady(known)) state.objects.put('nodes', withReadyUnset(known))
}

function fromNothing(pod: StoredObject): StoredObject {
  const { startTime: _, containerStatuses: __, conditions: ___, ...status } = mapAt(pod, 'status')
  return { ...pod, status: { ...status, phase: 'Pending' } }
}

function withReadyUnset(node: StoredObject): StoredObject {
  const status = mapAt(node, 'status')
  const conditions = Array.isArray(status.conditions)
    ? status.conditions.filter((one) => mapAt(one).type !== 'Ready')
    : []
  return { ...node, status: { ...status, conditions } }
}
