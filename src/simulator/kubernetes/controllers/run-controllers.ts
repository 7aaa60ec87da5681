import type { ClusterState } from '../cluster-state.js'
import { attachVolumes } from './attach-volumes.js'
import { bringCrds } from './bring-crds.js'
import { collectGarbage } from './collect-garbage.js'
import type { Controller, Round } from './controller.js'
import { countBudgets } from './count-budgets.js'
import { establishCrds } from './establish-crds.js'
import { evictFromLostNodes } from './evict-from-lost-nodes.js'
import { initializeNodes } from './initialize-nodes.js'
import { createTokenController } from './keep-tokens.js'
import { mirrorStaticPods } from './mirror-static-pods.js'
import { createCsrController } from './run-csrs.js'
import { runDaemonSets } from './run-daemonsets.js'
import { runDeployments } from './run-deployments.js'
import { runJobs } from './run-jobs.js'
import { runNodes } from './run-nodes.js'
import { runPods } from './run-pods.js'
import { runStatefulSets } from './run-statefulsets.js'
import { schedulePods } from './schedule-pods.js'
import { serveServices } from './serve-services.js'
import { sliceEndpoints } from './slice-endpoints.js'

/** Rounds follow a change after this model time, so that many changes make one round. */
const settleMs = 200
/** In real time: a fast lab would otherwise run rounds without a pause. */
const atLeastMs = 4
/** Kubelets may lose the API without any change in the store. */
const heartbeatMs = 10_000

/** The controller manager, the scheduler and the kubelets in one loop, which runs only while an API server serves. */
export interface ControllerLoop {
  /** Something outside the store has changed. */
  wake(): void
  start(): void
  stop(): void
}

export function createControllerLoop(state: ClusterState, mayWrite: () => boolean): ControllerLoop {
  const keepTokens = createTokenController()
  const controllers: readonly Controller[] = [
    runNodes,
    initializeNodes,
    mirrorStaticPods,
    bringCrds,
    establishCrds,
    runDaemonSets,
    runDeployments,
    runStatefulSets,
    runJobs,
    schedulePods,
    attachVolumes,
    runPods,
    evictFromLostNodes,
    countBudgets,
    createCsrController(),
    serveServices,
    sliceEndpoints,
    collectGarbage,
    keepTokens,
  ]
  const settle = Math.max(settleMs, atLeastMs * state.clock.speed)
  let cancel: (() => void) | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isRunning = false

  const plan = (modelMs: number) => {
    const at = state.clock.now() + modelMs
    if (!isRunning || at >= dueAt) return
    cancel?.()
    dueAt = at
    cancel = state.clock.after(modelMs, turn)
  }
  let somethingMoved = true
  const turn = () => {
    dueAt = Number.POSITIVE_INFINITY
    const before = state.objects.revision
    const due = somethingMoved ? controllers : [runNodes, mirrorStaticPods, keepTokens]
    somethingMoved = false
    if (mayWrite()) {
      const wakeIn = (ms: number) => {
        somethingMoved = true
        plan(Math.max(ms, settle))
      }
      const round: Round = { state, now: state.clock.now(), wakeIn }
      for (const controller of due) controller(round)
    }
    plan(state.objects.revision === before ? Math.max(heartbeatMs, settle) : settle)
  }
  const wake = () => {
    somethingMoved = true
    plan(settle)
  }
  state.objects.subscribe(wake)
  return {
    wake,
    start: () => {
      isRunning = true
      wake()
    },
    stop: () => {
      isRunning = false
      cancel?.()
      dueAt = Number.POSITIVE_INFINITY
    },
  }
}
