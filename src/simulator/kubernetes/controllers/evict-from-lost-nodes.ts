import { mapsAt, textAt } from '../object.js'
import { type Controller, conditionOf } from './controller.js'
import { tolerates } from './tolerations.js'

const toleratedMs = 300_000

/**
 * After five minutes the pods of a lost node are deleted, so that they start elsewhere; those of a deleted node at
 * once.
 */
export const evictFromLostNodes: Controller = ({ state, now, wakeIn }) => {
  const nodes = new Map(state.objects.list('nodes').map((node) => [node.metadata.name, node]))
  for (const pod of state.objects.list('pods')) {
    const name = textAt(pod, 'spec', 'nodeName')
    if (name === undefined) continue
    const node = nodes.get(name)
    if (node === undefined) {
      state.objects.remove('pods', pod.metadata.namespace, pod.metadata.name)
      continue
    }
    if (conditionOf(node, 'Ready') !== 'Unknown' || staysForever(pod)) continue
    const since = mapsAt(node, 'status', 'conditions').find((one) => one.type === 'Ready')?.lastTransitionTime
    const left = Date.parse(String(since)) + toleratedMs - now
    if (left > 0) wakeIn(left)
    else if (pod.metadata.deletionTimestamp === undefined)
      state.objects.put('pods', {
        ...pod,
        metadata: { ...pod.metadata, deletionTimestamp: new Date(now).toISOString() },
      })
  }
}

function staysForever(pod: unknown): boolean {
  const taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }
  return mapsAt(pod, 'spec', 'tolerations').some((one) => one.tolerationSeconds === undefined && tolerates(one, taint))
}
