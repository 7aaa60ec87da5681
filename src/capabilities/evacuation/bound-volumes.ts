import { recordOf, requiredLabelValues } from '../../cluster/object-fields.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import type { KubernetesObject } from '../../kubernetes/port.js'
import { kubernetesApi } from '../../node/kubernetes-api.js'
import type { WorkContext } from '../../work/work-context.js'

const zoneLabels = ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone']

/**
 * Persistent volumes in use that only nodes on this host can reach, because their zone is the host. Volumes that are
 * bound to a node are on its disks and move with it. `pvc-1 (of default/data)`.
 */
export async function volumesBoundTo(host: string, context: WorkContext): Promise<string[]> {
  if (!wasBootstrapped(context.observed)) return []
  const api = await kubernetesApi(context)
  const kind = { apiVersion: 'v1', kind: 'PersistentVolume' }
  const volumes = await api.list(kind, undefined, {}, context.signal)
  return volumes.filter((volume) => isBoundTo(host, volume)).map(inWords)
}

function isBoundTo(host: string, volume: KubernetesObject): boolean {
  const zones = new Set(zoneLabels.flatMap((label) => requiredLabelValues(volume.spec, label)))
  const isUsed = recordOf(volume.spec).claimRef !== undefined && recordOf(volume.status).phase !== 'Released'
  return isUsed && zones.size === 1 && zones.has(host)
}

function inWords({ metadata, spec }: KubernetesObject): string {
  const { namespace, name } = recordOf(recordOf(spec).claimRef)
  return `${metadata.name} (of ${namespace}/${name})`
}
