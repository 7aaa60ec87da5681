import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { type Controller, isReady } from './controller.js'

const uninitialized = 'node.cloudprovider.kubernetes.io/uninitialized'

/** The cloud controller: sets provider ID and topology of nodes, then removes the taint. */
export const initializeNodes: Controller = ({ state }) => {
  const waiting = state.objects
    .list('nodes')
    .filter((node) => mapsAt(node, 'spec', 'taints').some((taint) => taint.key === uninitialized))
  if (waiting.length === 0 || !hasCloudController(state)) return
  const region = regionOf(state)
  for (const node of waiting) state.objects.put('nodes', initialized(state, node, region))
}

function hasCloudController(state: ClusterState): boolean {
  return state.objects
    .list('pods')
    .some(
      (pod) =>
        (pod.metadata.labels?.['app.kubernetes.io/name'] ?? '').includes('cloud-controller-manager') && isReady(pod),
    )
}

/** The configured region of the cloud controller. */
function regionOf(state: ClusterState): string {
  const secret = state.objects
    .list('secrets')
    .find((one) => one.metadata.labels?.['app.kubernetes.io/name'] === 'proxmox-cloud-controller-manager')
  const config = Buffer.from(textAt(secret, 'data', 'config.yaml') ?? '', 'base64').toString('utf8')
  const clusters = config === '' ? [] : mapsAt(JSON.parse(config), 'clusters')
  return textAt(clusters[0], 'region') ?? 'lab'
}

function initialized(state: ClusterState, node: StoredObject, region: string): StoredObject {
  const taints = mapsAt(node, 'spec', 'taints').filter((taint) => taint.key !== uninitialized)
  const { host, vmid } = state.kubelets.get(node.metadata.name)?.options.placement?.() ?? { host: 'lab', vmid: 0 }
  const { taints: _, ...spec } = mapAt(node, 'spec')
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: {
        'topology.kubernetes.io/region': region,
        'topology.kubernetes.io/zone': host,
        ...node.metadata.labels,
      },
    },
    spec: { ...spec, providerID: `proxmox://${region}/${vmid}`, ...(taints.length > 0 ? { taints } : {}) },
  }
}
