import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, type StoredObject } from '../object.js'
import { ownerReferenceOf } from './controller.js'

export const hashLabel = 'pod-template-hash'
const revisionKey = 'deployment.kubernetes.io/revision'

export function setsOf(state: ClusterState, deployment: StoredObject): readonly StoredObject[] {
  return state.objects
    .list('replicasets.apps')
    .filter((set) => set.metadata.ownerReferences?.some((owner) => owner.uid === deployment.metadata.uid))
}

export function makeSet(state: ClusterState, deployment: StoredObject, hash: string): StoredObject {
  const { name, namespace } = deployment.metadata
  const template = mapAt(deployment, 'spec', 'template')
  const labels = { ...mapAt(template, 'metadata', 'labels'), [hashLabel]: hash } as Readonly<Record<string, string>>
  return state.objects.put('replicasets.apps', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      generation: 1,
      labels,
      ownerReferences: [ownerReferenceOf(deployment)],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { ...mapAt(deployment, 'spec', 'selector', 'matchLabels'), [hashLabel]: hash } },
      template: { ...template, metadata: { ...mapAt(template, 'metadata'), labels } },
    },
    status: { replicas: 0, observedGeneration: 1 },
  })
}

/** A change of its size is a new generation, which its controller has seen at once. */
export function reportSet(state: ClusterState, given: StoredObject, replicas: number, pods: number, ready: number) {
  const set = state.objects.find('replicasets.apps', given.metadata.namespace, given.metadata.name) ?? given
  const isResized = mapAt(set, 'spec').replicas !== replicas
  const generation = (set.metadata.generation ?? 1) + (isResized ? 1 : 0)
  state.objects.put('replicasets.apps', {
    ...set,
    metadata: { ...set.metadata, generation },
    spec: { ...mapAt(set, 'spec'), replicas },
    status: { replicas: pods, readyReplicas: ready, availableReplicas: ready, observedGeneration: generation },
  })
}

/** The set in use has the highest revision; one that comes back gets a new number. Returns it. */
export function numberRevision(
  state: ClusterState,
  sets: readonly StoredObject[],
  current: StoredObject,
): { readonly set: StoredObject; readonly annotation: Readonly<Record<string, string>> } {
  const others = sets.filter(({ metadata }) => metadata.uid !== current.metadata.uid)
  const newest = Math.max(0, ...others.map(revisionOf))
  const revision = String(revisionOf(current) > newest ? revisionOf(current) : newest + 1)
  const annotations = { ...current.metadata.annotations, [revisionKey]: revision }
  const set = state.objects.put('replicasets.apps', { ...current, metadata: { ...current.metadata, annotations } })
  return { set, annotation: { [revisionKey]: revision } }
}

function revisionOf({ metadata }: StoredObject): number {
  return Number(metadata.annotations?.[revisionKey] ?? 0)
}
