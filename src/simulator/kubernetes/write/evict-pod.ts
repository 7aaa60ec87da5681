import type { ClusterState } from '../cluster-state.js'
import { isMap, mapAt, numberAt, type StoredObject, textAt } from '../object.js'
import { builtInResources } from '../resources.js'
import { matcherOf } from '../selector.js'
import { StatusError } from '../status-error.js'
import { type DeleteOptions, deleteObject } from './delete-object.js'
import { getLive } from './write-object.js'

const pods = builtInResources.find((resource) => resource.kind === 'Pod')

/** Deletes a pod if all its PodDisruptionBudgets allow it; otherwise 429, to be retried. */
export function evictPod(state: ClusterState, namespace: string, name: string, eviction: unknown): void {
  if (pods === undefined) return
  const target = { resource: pods, namespace }
  const pod = getLive(state, target, name)
  if (isServing(pod)) for (const budget of budgetsOf(state, pod)) spendBudget(state, budget)
  deleteObject(state, target, name, deleteOptionsOf(eviction))
  state.ledger.record({
    at: state.clock.now(),
    surface: 'kubernetes',
    event: 'pod.evicted',
    subject: `${namespace}/${name}`,
    mutating: true,
  })
}

/** Budgets do not protect a pod that is pending, completed or terminating. */
function isServing(pod: StoredObject): boolean {
  return textAt(pod, 'status', 'phase') === 'Running' && pod.metadata.deletionTimestamp === undefined
}

function budgetsOf(state: ClusterState, pod: StoredObject): StoredObject[] {
  return state.objects
    .list('poddisruptionbudgets.policy')
    .filter((budget) => budget.metadata.namespace === pod.metadata.namespace)
    .filter((budget) => matcherOf(mapAt(budget, 'spec').selector)(pod.metadata.labels ?? {}))
}

function spendBudget(state: ClusterState, budget: StoredObject) {
  const status = mapAt(budget, 'status')
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0
  if (allowed <= 0) throw tooMany(budget, status)
  state.objects.put('poddisruptionbudgets.policy', {
    ...budget,
    status: { ...status, disruptionsAllowed: allowed - 1 },
  })
}

function tooMany({ metadata: { name } }: StoredObject, status: Readonly<Record<string, unknown>>): StatusError {
  return new StatusError(429, 'TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [
      {
        reason: 'DisruptionBudget',
        message: `The disruption budget ${name} needs ${status.desiredHealthy} healthy pods and has ${status.currentHealthy} currently`,
      },
    ],
  })
}

function deleteOptionsOf(eviction: unknown): DeleteOptions {
  const asked = isMap(eviction) && isMap(eviction.deleteOptions) ? eviction.deleteOptions : {}
  const grace = numberAt(asked, 'gracePeriodSeconds')
  const dryRun = Array.isArray(asked.dryRun) && asked.dryRun.includes('All')
  return { dryRun, ...(grace === undefined ? {} : { gracePeriodSeconds: grace }) }
}
