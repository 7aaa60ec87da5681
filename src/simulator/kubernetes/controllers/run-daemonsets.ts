import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { type Controller, isReady, podsOf } from './controller.js'
import { makePod, removePod } from './make-pod.js'
import { matchesNode } from './schedule-pods.js'
import { templateHash } from './template-hash.js'
import { daemonTolerations, toleratesNode } from './tolerations.js'

/** One pod on each matching node, replaced node by node when the template changes. */
export const runDaemonSets: Controller = ({ state }) => {
  for (const set of state.objects.list('daemonsets.apps')) {
    const template = mapAt(set, 'spec', 'template')
    const wanted = state.objects.list('nodes').filter((node) => takes(node, template))
    const pods = podsOf(state, set)
    placeMissing(state, set, wanted, new Set(pods.map(nodeOf)))
    replaceOld(state, set, pods)
    const names = new Set<string | undefined>(wanted.map(({ metadata }) => metadata.name))
    for (const pod of pods) if (!names.has(nodeOf(pod))) removePod(state, pod)
    report(state, set, wanted)
  }
}

function takes(node: StoredObject, template: unknown): boolean {
  return toleratesNode(template, node, daemonTolerations) && matchesNode(template, node)
}

function nodeOf(pod: StoredObject): string | undefined {
  return textAt(pod, 'spec', 'nodeName')
}

function placeMissing(
  state: ClusterState,
  set: StoredObject,
  nodes: readonly StoredObject[],
  taken: ReadonlySet<string | undefined>,
) {
  const template = mapAt(set, 'spec', 'template')
  for (const node of nodes) {
    if (taken.has(node.metadata.name)) continue
    makePod(state, {
      owner: set,
      name: `${set.metadata.name}-${state.nextUid().slice(-5)}`,
      template,
      labels: { 'controller-revision-hash': templateHash(template) },
      spec: {
        nodeName: node.metadata.name,
        tolerations: [...mapsAt(template, 'spec', 'tolerations'), ...daemonTolerations],
      },
    })
  }
}

function replaceOld(state: ClusterState, set: StoredObject, pods: readonly StoredObject[]) {
  if (textAt(set, 'spec', 'updateStrategy', 'type') === 'OnDelete') return
  const hash = templateHash(mapAt(set, 'spec', 'template'))
  const old = pods.filter((pod) => pod.metadata.labels?.['controller-revision-hash'] !== hash)
  const isAnyAway = pods.some((pod) => !isReady(pod) || pod.metadata.deletionTimestamp !== undefined)
  const [next] = old
  if (next !== undefined && !isAnyAway) removePod(state, next)
}

function report(state: ClusterState, set: StoredObject, wanted: readonly StoredObject[]) {
  const hash = templateHash(mapAt(set, 'spec', 'template'))
  const pods = podsOf(state, set)
  const ready = pods.filter(isReady).length
  const status = {
    ...mapAt(set, 'status'),
    observedGeneration: set.metadata.generation,
    desiredNumberScheduled: wanted.length,
    currentNumberScheduled: pods.length,
    updatedNumberScheduled: pods.filter((pod) => pod.metadata.labels?.['controller-revision-hash'] === hash).length,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: Math.max(0, wanted.length - ready),
    numberMisscheduled: 0,
  }
  state.objects.put('daemonsets.apps', { ...set, status })
}
