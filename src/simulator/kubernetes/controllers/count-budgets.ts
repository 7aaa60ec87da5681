import { nowStamp } from '../cluster-state.js'
import { mapAt, numberAt, type StoredObject } from '../object.js'
import { matcherOf } from '../selector.js'
import { type Controller, isReady, withCondition } from './controller.js'

/** Keeps the `disruptionsAllowed` of each PodDisruptionBudget. */
export const countBudgets: Controller = ({ state }) => {
  const stamp = nowStamp(state)
  const pods = state.objects.list('pods')
  for (const budget of state.objects.list('poddisruptionbudgets.policy')) {
    const matches = matcherOf(mapAt(budget, 'spec').selector)
    const covered = pods.filter(
      (pod) => pod.metadata.namespace === budget.metadata.namespace && matches(pod.metadata.labels ?? {}),
    )
    const expectedPods = covered.length
    const currentHealthy = covered.filter((pod) => isReady(pod) && pod.metadata.deletionTimestamp === undefined).length
    const desiredHealthy = desiredOf(budget, expectedPods)
    const disruptionsAllowed = Math.max(0, currentHealthy - desiredHealthy)
    const status = {
      observedGeneration: budget.metadata.generation,
      expectedPods,
      currentHealthy,
      desiredHealthy,
      disruptionsAllowed,
      conditions: withCondition(budget, allowance(disruptionsAllowed), stamp),
    }
    state.objects.put('poddisruptionbudgets.policy', { ...budget, status })
  }
}

function allowance(disruptionsAllowed: number) {
  return disruptionsAllowed > 0
    ? { type: 'DisruptionAllowed', status: 'True', reason: 'SufficientPods' }
    : { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }
}

function desiredOf(budget: StoredObject, expected: number): number {
  const { minAvailable, maxUnavailable } = mapAt(budget, 'spec')
  if (minAvailable !== undefined) return countOf(minAvailable, expected)
  return Math.max(0, expected - (maxUnavailable === undefined ? 1 : countOf(maxUnavailable, expected)))
}

/** A number, or a percentage, rounded up. */
function countOf(value: unknown, expected: number): number {
  if (typeof value === 'string' && value.endsWith('%')) return Math.ceil((expected * Number.parseInt(value, 10)) / 100)
  return numberAt({ value }, 'value') ?? 0
}
