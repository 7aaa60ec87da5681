import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, mapsAt, numberAt, type StoredObject, textAt } from '../object.js'
import { type Controller, isReady, podsOf } from './controller.js'
import { makePod, removePod } from './make-pod.js'
import { templateHash } from './template-hash.js'

const hashLabel = 'controller-revision-hash'

/** Numbered pods, one after another by default, each with its own claims. */
export const runStatefulSets: Controller = ({ state }) => {
  for (const set of state.objects.list('statefulsets.apps')) {
    const replicas = numberAt(set, 'spec', 'replicas') ?? 1
    grow(state, set, replicas)
    replaceOld(state, set)
    report(state, set, replicas)
  }
}

function grow(state: ClusterState, set: StoredObject, replicas: number) {
  const pods = podsOf(state, set)
  const isParallel = textAt(set, 'spec', 'podManagementPolicy') === 'Parallel'
  for (let index = 0; index < replicas; index++) {
    const name = `${set.metadata.name}-${index}`
    const pod = pods.find((one) => one.metadata.name === name)
    if (pod === undefined) makeNumbered(state, set, name, index)
    if (!isParallel && (pod === undefined || !isReady(pod))) break
  }
  for (const pod of pods) if (Number(pod.metadata.name.split('-').at(-1)) >= replicas) removePod(state, pod)
}

function makeNumbered(state: ClusterState, set: StoredObject, name: string, index: number) {
  const template = mapAt(set, 'spec', 'template')
  const claims = mapsAt(set, 'spec', 'volumeClaimTemplates')
  for (const claim of claims) ensureClaim(state, set, claim, `${textAt(claim, 'metadata', 'name')}-${name}`)
  const volumes = claims.map((claim) => ({
    name: textAt(claim, 'metadata', 'name'),
    persistentVolumeClaim: { claimName: `${textAt(claim, 'metadata', 'name')}-${name}` },
  }))
  makePod(state, {
    owner: set,
    name,
    template,
    labels: { [hashLabel]: templateHash(template), 'apps.kubernetes.io/pod-index': String(index) },
    spec: { volumes: [...mapsAt(template, 'spec', 'volumes'), ...volumes] },
  })
}

function ensureClaim(state: ClusterState, set: StoredObject, claim: unknown, name: string) {
  const namespace = set.metadata.namespace ?? 'default'
  if (state.objects.find('persistentvolumeclaims', namespace, name) !== undefined) return
  const labels = mapAt(set, 'spec', 'selector', 'matchLabels') as Record<string, string>
  state.objects.put('persistentvolumeclaims', {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, uid: state.nextUid(), creationTimestamp: nowStamp(state), labels },
    spec: mapAt(claim, 'spec'),
    status: { phase: 'Pending' },
  })
}

function replaceOld(state: ClusterState, set: StoredObject) {
  const pods = podsOf(state, set)
  if (pods.some((pod) => !isReady(pod))) return
  const hash = templateHash(mapAt(set, 'spec', 'template'))
  const last = pods.filter((pod) => pod.metadata.labels?.[hashLabel] !== hash).at(-1)
  if (last !== undefined) removePod(state, last)
}

function report(state: ClusterState, set: StoredObject, replicas: number) {
  const hash = templateHash(mapAt(set, 'spec', 'template'))
  const pods = podsOf(state, set)
  const updated = pods.filter((pod) => pod.metadata.labels?.[hashLabel] === hash)
  const status = {
    observedGeneration: set.metadata.generation,
    replicas: Math.min(pods.length, replicas),
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: pods.filter(isReady).length,
    updatedReplicas: updated.length,
    currentReplicas: updated.length,
    currentRevision: hash,
    updateRevision: hash,
  }
  state.objects.put('statefulsets.apps', { ...set, status })
}
