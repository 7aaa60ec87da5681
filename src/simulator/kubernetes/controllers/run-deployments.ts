import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, numberAt, type StoredObject } from '../object.js'
import { type Controller, isReady, ownerReferenceOf, podsOf, withCondition } from './controller.js'
import { makePod, removePod } from './make-pod.js'
import { templateHash } from './template-hash.js'

const hashLabel = 'pod-template-hash'

/** One ReplicaSet per revision: the new one grows first, the old ones are scaled down when it is ready. */
export const runDeployments: Controller = ({ state }) => {
  for (const deployment of state.objects.list('deployments.apps')) {
    const hash = templateHash(mapAt(deployment, 'spec', 'template'))
    const sets = setsOf(state, deployment)
    const current = sets.find((set) => set.metadata.labels?.[hashLabel] === hash) ?? makeSet(state, deployment, hash)
    const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1
    keepReplicas(state, deployment, current, replicas)
    const ready = podsOf(state, current).filter(isReady).length
    if (ready >= replicas)
      retire(
        state,
        sets.filter((set) => set !== current),
      )
    report(state, deployment, current, replicas)
  }
}

function setsOf(state: ClusterState, deployment: StoredObject): readonly StoredObject[] {
  return state.objects
    .list('replicasets.apps')
    .filter((set) => set.metadata.ownerReferences?.some((owner) => owner.uid === deployment.metadata.uid))
}

function makeSet(state: ClusterState, deployment: StoredObject, hash: string): StoredObject {
  const { name, namespace, labels } = deployment.metadata
  return state.objects.put('replicasets.apps', {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      uid: state.nextUid(),
      creationTimestamp: nowStamp(state),
      generation: 1,
      labels: { ...labels, [hashLabel]: hash },
      ownerReferences: [ownerReferenceOf(deployment)],
    },
    spec: { ...mapAt(deployment, 'spec'), selector: mapAt(deployment, 'spec').selector },
    status: { replicas: 0 },
  })
}

function keepReplicas(state: ClusterState, deployment: StoredObject, set: StoredObject, replicas: number) {
  const alive = podsOf(state, set).filter((pod) => pod.metadata.deletionTimestamp === undefined)
  for (let missing = replicas - alive.length; missing > 0; missing--)
    makePod(state, {
      owner: set,
      name: `${set.metadata.name}-${state.nextUid().slice(-5)}`,
      template: mapAt(deployment, 'spec', 'template'),
      labels: { [hashLabel]: set.metadata.labels?.[hashLabel] ?? '' },
    })
  for (const pod of alive.slice(replicas)) removePod(state, pod)
}

function retire(state: ClusterState, sets: readonly StoredObject[]) {
  for (const set of sets) for (const pod of podsOf(state, set)) removePod(state, pod)
}

function report(state: ClusterState, deployment: StoredObject, set: StoredObject, replicas: number) {
  const pods = podsOf(state, set).filter((pod) => pod.metadata.deletionTimestamp === undefined)
  const ready = pods.filter(isReady).length
  state.objects.put('replicasets.apps', {
    ...set,
    status: { replicas: pods.length, readyReplicas: ready, availableReplicas: ready },
  })
  const isAvailable = ready >= replicas
  const condition = {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
  }
  const status = {
    observedGeneration: deployment.metadata.generation,
    replicas: pods.length,
    updatedReplicas: pods.length,
    readyReplicas: ready,
    availableReplicas: ready,
    unavailableReplicas: Math.max(0, replicas - ready),
    conditions: withCondition(deployment, condition, nowStamp(state)),
  }
  state.objects.put('deployments.apps', { ...deployment, status })
}
