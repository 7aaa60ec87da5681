import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, type StoredObject } from '../object.js'
import { withServiceAccount } from '../write/service-account.js'
import { ownerReferenceOf } from './controller.js'

export interface PodSource {
  readonly owner: StoredObject
  readonly name: string
  readonly template: unknown
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: Readonly<Record<string, unknown>>
}

/** Creates a pod of a workload in its namespace. */
export function makePod(state: ClusterState, { owner, name, template, labels, spec }: PodSource): StoredObject {
  const given = mapAt(template, 'metadata')
  return state.objects.put('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: owner.metadata.namespace ?? 'default',
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      labels: { ...(mapAt(given, 'labels') as Record<string, string>), ...labels },
      annotations: mapAt(given, 'annotations') as Record<string, string>,
      ownerReferences: [ownerReferenceOf(owner)],
    },
    spec: withServiceAccount({ ...mapAt(template, 'spec'), ...spec }, name),
    status: { phase: 'Pending' },
  })
}

/** Marks a pod for termination by its kubelet, or removes it if no kubelet has it. */
export function removePod(state: ClusterState, pod: StoredObject): void {
  const { namespace, name, deletionTimestamp } = pod.metadata
  if (mapAt(pod, 'spec').nodeName === undefined) state.objects.remove('pods', namespace, name)
  else if (deletionTimestamp === undefined)
    state.objects.put('pods', { ...pod, metadata: { ...pod.metadata, deletionTimestamp: nowStamp(state) } })
}
