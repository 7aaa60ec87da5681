import { type ClusterState, nowStamp } from '../cluster-state.js'
import { runContainer } from '../helm/run-container.js'
import { type JsonMap, mapAt, mapsAt, type StoredObject, textAt } from '../object.js'
import { hasItsVolumesAttached } from './attach-volumes.js'
import { type Controller, isReady, type Round, withCondition } from './controller.js'
import { readinessProblem } from './readiness.js'
import { warn } from './warn.js'

const stopMs = 2_000
const pullRetryMs = 20_000
const stillRunningMs = 5_000

/** The kubelets: start pods that are bound to their node, keep them ready, and terminate deleted ones. */
export const runPods: Controller = (round) => {
  const { state } = round
  for (const pod of state.objects.list('pods')) {
    const node = textAt(pod, 'spec', 'nodeName')
    if (node === undefined) continue
    const kubelet = state.kubelets.get(node)
    if (kubelet === undefined || !kubelet.options.canReachApi()) continue
    if (pod.metadata.deletionTimestamp !== undefined) end(round, pod)
    else if (isPending(pod)) start(round, pod)
    else if (textAt(pod, 'status', 'phase') === 'Running') keepRunning(round, pod)
  }
}

function isPending(pod: StoredObject): boolean {
  return textAt(pod, 'status', 'phase') === 'Pending'
}

function end({ state, now, wakeIn }: Round, pod: StoredObject) {
  const since = now - Date.parse(pod.metadata.deletionTimestamp ?? '')
  if (since < stopMs) return wakeIn(stopMs - since)
  if ((pod.metadata.finalizers ?? []).length > 0) return
  state.objects.remove('pods', pod.metadata.namespace, pod.metadata.name)
}

function start(round: Round, pod: StoredObject) {
  const { state, now, wakeIn } = round
  const needsNetwork = mapAt(pod, 'spec').hostNetwork !== true
  const node = state.objects.find('nodes', undefined, textAt(pod, 'spec', 'nodeName') ?? '')
  if (node === undefined || (needsNetwork && !isReady(node))) return
  if (!hasItsVolumesAttached(state, pod)) return wakeIn(startupMs(pod))
  const startTime = textAt(pod, 'status', 'startTime')
  if (startTime === undefined) {
    state.objects.put('pods', {
      ...pod,
      status: { ...mapAt(pod, 'status'), startTime: nowStamp(state), hostIP: addressOf(node) },
    })
    return wakeIn(startupMs(pod))
  }
  const waited = now - Date.parse(startTime)
  if (waited < startupMs(pod)) return wakeIn(startupMs(pod) - waited)
  const image = failingImage(state, pod)
  if (image === undefined) return run(round, pod)
  state.objects.put('pods', pullFailed(pod, image, nowStamp(state)))
  warn(state, pod, 'Failed', `Failed to pull image "${image}": not found`)
  wakeIn(pullRetryMs)
}

/** Pulling and starting takes a varying time. */
function startupMs(pod: StoredObject): number {
  const spread = [...pod.metadata.name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 4, 0)
  return 4_000 + spread * 1_000
}

/** A rule on `PULL <image>` simulates a registry that is down or a missing image. */
function failingImage(state: ClusterState, pod: StoredObject): string | undefined {
  return mapsAt(pod, 'spec', 'containers')
    .flatMap((container) => textAt(container, 'image') ?? [])
    .find((path) => state.faults.meet({ surface: 'kubernetes', method: 'PULL', path, mutating: false }) !== undefined)
}

function run(round: Round, pod: StoredObject) {
  const { state } = round
  const stamp = nowStamp(state)
  const isOnce = textAt(pod, 'spec', 'restartPolicy') !== 'Always'
  const running = { ...pod, status: { ...mapAt(pod, 'status'), phase: 'Running', ...network(pod, state) } }
  if (!isOnce) return void settleReadiness(round, running)
  const outcome = runContainer(state, pod)
  if (outcome === undefined) return round.wakeIn(stillRunningMs)
  state.logs.set(`${pod.metadata.namespace}/${pod.metadata.name}`, [...outcome.lines])
  const phase = outcome.succeeded ? 'Succeeded' : 'Failed'
  const terminated = {
    exitCode: outcome.succeeded ? 0 : 1,
    reason: outcome.succeeded ? 'Completed' : 'Error',
    finishedAt: stamp,
  }
  const conditions = withCondition(pod, { type: 'Ready', status: 'False', reason: 'PodCompleted' }, stamp)
  const containerStatuses = statusesOf(pod, false, { terminated })
  state.objects.put('pods', {
    ...running,
    status: { ...mapAt(running, 'status'), phase, conditions, containerStatuses },
  })
}

function keepRunning(round: Round, pod: StoredObject) {
  settleReadiness(round, pod)
}

function settleReadiness({ state, wakeIn }: Round, pod: StoredObject) {
  const problem = readinessProblem(state, pod)
  const stamp = nowStamp(state)
  const condition = {
    type: 'Ready',
    status: problem === undefined ? 'True' : 'False',
    ...(problem === undefined ? {} : { reason: 'ContainersNotReady', message: problem }),
  }
  const conditions = withCondition(pod, condition, stamp)
  const startedAt = textAt(pod, 'status', 'startTime') ?? stamp
  const containerStatuses = statusesOf(pod, problem === undefined, { running: { startedAt } })
  state.objects.put('pods', { ...pod, status: { ...mapAt(pod, 'status'), conditions, containerStatuses } })
  if (problem !== undefined) wakeIn(5_000)
}

function statusesOf(pod: StoredObject, ready: boolean, state: JsonMap): object[] {
  return mapsAt(pod, 'spec', 'containers').map((container) => ({
    name: container.name,
    image: container.image,
    imageID: container.image,
    ready,
    restartCount: 0,
    started: true,
    state,
  }))
}

function pullFailed(pod: StoredObject, image: string, stamp: string): StoredObject {
  const message = `Back-off pulling image "${image}"`
  const waiting = { reason: 'ImagePullBackOff', message }
  const conditions = withCondition(
    pod,
    { type: 'Ready', status: 'False', reason: 'ContainersNotReady', message },
    stamp,
  )
  return {
    ...pod,
    status: {
      ...mapAt(pod, 'status'),
      startTime: stamp,
      conditions,
      containerStatuses: statusesOf(pod, false, { waiting }),
    },
  }
}

function network(pod: StoredObject, state: ClusterState): { podIP?: string } {
  const node = state.objects.find('nodes', undefined, textAt(pod, 'spec', 'nodeName') ?? '')
  if (mapAt(pod, 'spec').hostNetwork === true) return { podIP: addressOf(node) }
  const [prefix = '10.244.0.0/16'] = state.facts.podSubnets
  const index = Number.parseInt((pod.metadata.uid ?? '0').slice(-4), 16)
  return { podIP: prefix.replace(/\.\d+\.\d+\/\d+$/, `.${Math.floor(index / 250) % 250}.${(index % 250) + 2}`) }
}

function addressOf(node: unknown): string {
  return textAt(mapsAt(node, 'status', 'addresses')[0], 'address') ?? ''
}
