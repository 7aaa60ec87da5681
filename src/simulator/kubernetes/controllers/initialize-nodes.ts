import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { type Controller, isReady } from './controller.js'

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized'

/** The cloud controller: gives nodes their provider id and topology, then takes the taint away. */
export const initializeNodes: Controller = ({ state }) => {
  const waiting = state.objects
    .list('nodes')
    .filter((node) => mapsAt(node, 'spec', 'taints').some((taint) => taint.key === uninitialized))
  if (waiting.length === 0 || !hasCloudController(state)) return
  for (const node of waiting) state.objects.put('nodes', initialized(node))
}

function hasCloudController(state: ClusterState): boolean {
  return state.objects
    .list('pods')
    .some(
      (pod) =>
        (pod.metadata.labels?.['app.kubernetes.io/name'] ?? '').includes('cloud-controller-manager') && isReady(pod),
    )
}

function initialized(node: StoredObject): StoredObject {
  const taints = mapsAt(node, 'spec', 'taints').filter((taint) => taint.key !== uninitialized)
  const uuid = textAt(node, 'status', 'nodeInfo', 'systemUUID')
  const { taints: _, ...spec } = mapAt(node, 'spec')
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: { 'topology.kubernetes.io/region': 'lab', 'topology.kubernetes.io/zone': 'lab', ...node.metadata.labels },
    },
    spec: { ...spec, providerID: `proxmox://lab/${uuid}`, ...(taints.length > 0 ? { taints } : {}) },
  }
}
