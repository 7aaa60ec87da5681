import { itemsOf, recordOf, requiredLabelValues } from '../cluster/object-fields.js'
import type { KubernetesObject } from '../kubernetes/port.js'
import type { World } from '../world.js'
import type { Observed } from './observed.js'

/** The workload of a node. */
export interface NodeLoad {
  /** Pods that a drain would move. */
  readonly pods: number
  /** Persistent volumes that only this node can use. */
  readonly volumes: number
}

const patienceMs = 8000

/** By node name; empty if Kubernetes does not respond, in which case the choice uses other facts. */
export async function askLoad(
  { machines }: Pick<Observed, 'machines'>,
  { kubernetes }: World,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NodeLoad>> {
  const endpoints = machines.flatMap(({ mark, talos, address }) =>
    mark.role === 'controlplane' && talos.reach === 'secured' && address !== undefined
      ? [{ host: address, port: 6443 }]
      : [],
  )
  if (endpoints.length === 0) return new Map()
  const api = kubernetes.at(endpoints)
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  try {
    const [pods, volumes] = await Promise.all([
      api.list({ apiVersion: 'v1', kind: 'Pod' }, undefined, {}, patience),
      api.list({ apiVersion: 'v1', kind: 'PersistentVolume' }, undefined, {}, patience),
    ])
    return loadOf(pods, volumes)
  } catch {
    signal.throwIfAborted()
    return new Map()
  }
}

function loadOf(pods: readonly KubernetesObject[], volumes: readonly KubernetesObject[]): Map<string, NodeLoad> {
  const load = new Map<string, NodeLoad>()
  const add = (node: string, what: keyof NodeLoad) => {
    const before = load.get(node) ?? { pods: 0, volumes: 0 }
    load.set(node, { ...before, [what]: before[what] + 1 })
  }
  for (const pod of pods.filter((one) => !isDaemon(one))) {
    const { nodeName } = recordOf(pod.spec)
    if (typeof nodeName === 'string') add(nodeName, 'pods')
  }
  for (const node of volumes.flatMap((volume) => requiredLabelValues(volume.spec, 'kubernetes.io/hostname')))
    add(node, 'volumes')
  return load
}

function isDaemon({ metadata }: KubernetesObject): boolean {
  return itemsOf(recordOf(metadata).ownerReferences).some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')
}
