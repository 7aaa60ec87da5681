import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, numberAt, type StoredObject } from '../object.js'
import { type Controller, isReady, podsOf, withCondition } from './controller.js'
import { makePod, removePod } from './make-pod.js'
import { hashLabel, makeSet, numberRevision, reportSet, setsOf } from './replica-sets.js'
import { templateHash } from './template-hash.js'

/** One ReplicaSet per revision: the new one grows first, the old ones are scaled down when it is ready. */
export const runDeployments: Controller = ({ state }) => {
  for (const deployment of state.objects.list('deployments.apps')) {
    const hash = templateHash(mapAt(deployment, 'spec', 'template'))
    const sets = setsOf(state, deployment)
    const found = sets.find((set) => set.metadata.labels?.[hashLabel] === hash) ?? makeSet(state, deployment, hash)
    const { set: current, annotation } = numberRevision(state, sets, found)
    const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1
    keepReplicas(state, deployment, current, replicas)
    const ready = podsOf(state, current).filter(isReady).length
    if (ready >= replicas)
      retire(
        state,
        sets.filter(({ metadata }) => metadata.uid !== current.metadata.uid),
      )
    report(state, deployment, current, replicas, annotation)
  }
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
  for (const set of sets) {
    const pods = podsOf(state, set)
    for (const pod of pods) removePod(state, pod)
    reportSet(state, set, 0, pods.length, 0)
  }
}

function report(
  state: ClusterState,
  deployment: StoredObject,
  set: StoredObject,
  replicas: number,
  annotation: Readonly<Record<string, string>>,
) {
  const pods = podsOf(state, set).filter((pod) => pod.metadata.deletionTimestamp === undefined)
  const ready = pods.filter(isReady).length
  reportSet(state, set, replicas, pods.length, ready)
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
  const metadata = { ...deployment.metadata, annotations: { ...deployment.metadata.annotations, ...annotation } }
  state.objects.put('deployments.apps', { ...deployment, metadata, status })
}
