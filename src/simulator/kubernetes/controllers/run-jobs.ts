import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, numberAt, type StoredObject, textAt } from '../object.js'
import { type Controller, conditionOf, podsOf, type Round, withCondition } from './controller.js'
import { makePod, removePod } from './make-pod.js'

/** One pod at a time until one succeeds, the retries are used up, or the deadline has passed. */
export const runJobs: Controller = (round) => {
  const { state } = round
  for (const job of state.objects.list('jobs.batch')) {
    if (job.metadata.deletionTimestamp !== undefined) continue
    if (isFinished(job)) forgetOld(round, job)
    else if (mapAt(job, 'spec').suspend !== true) advance(round, job)
  }
}

function isFinished(job: StoredObject): boolean {
  return conditionOf(job, 'Complete') === 'True' || conditionOf(job, 'Failed') === 'True'
}

function forgetOld({ state, now, wakeIn }: Round, job: StoredObject) {
  const ttl = numberAt(job, 'spec', 'ttlSecondsAfterFinished')
  const finished = textAt(job, 'status', 'completionTime') ?? textAt(job, 'status', 'failedAt')
  if (ttl === undefined || finished === undefined) return
  const left = Date.parse(finished) + ttl * 1000 - now
  if (left > 0) return wakeIn(left)
  state.objects.remove('jobs.batch', job.metadata.namespace, job.metadata.name)
}

function advance(round: Round, job: StoredObject) {
  const { state } = round
  const pods = podsOf(state, job)
  const phase = (wanted: string) => pods.filter((pod) => textAt(pod, 'status', 'phase') === wanted)
  const failed = phase('Failed').length
  const succeeded = phase('Succeeded').length
  const active = pods.length - failed - succeeded
  const startTime = textAt(job, 'status', 'startTime') ?? nowStamp(state)
  const status = { ...mapAt(job, 'status'), startTime, active, succeeded, failed }
  if (succeeded >= (numberAt(job, 'spec', 'completions') ?? 1))
    return finish(state, job, status, 'Complete', 'CompletionsReached')
  if (failed > (numberAt(job, 'spec', 'backoffLimit') ?? 6))
    return finish(state, job, status, 'Failed', 'BackoffLimitExceeded')
  if (isLate(round, job, startTime)) {
    for (const pod of pods) removePod(state, pod)
    return finish(state, job, status, 'Failed', 'DeadlineExceeded')
  }
  state.objects.put('jobs.batch', { ...job, status })
  if (active === 0) retry(round, job, failed)
}

function isLate({ now, wakeIn }: Round, job: StoredObject, startTime: string): boolean {
  const deadline = numberAt(job, 'spec', 'activeDeadlineSeconds')
  if (deadline === undefined) return false
  const left = Date.parse(startTime) + deadline * 1000 - now
  if (left > 0) wakeIn(left)
  return left <= 0
}

/** Each retry waits twice as long as the previous one, starting at ten seconds. */
function retry({ state, now, wakeIn }: Round, job: StoredObject, failed: number) {
  const last = podsOf(state, job).at(-1)
  const wait = failed === 0 || last === undefined ? 0 : 10_000 * 2 ** (failed - 1)
  const waited = last === undefined ? 0 : now - Date.parse(last.metadata.creationTimestamp ?? '')
  if (waited < wait) return wakeIn(wait - waited)
  const { name } = job.metadata
  makePod(state, {
    owner: job,
    name: `${name}-${state.nextUid().slice(-5)}`,
    template: mapAt(job, 'spec', 'template'),
    labels: { 'job-name': name, 'batch.kubernetes.io/job-name': name },
  })
}

function finish(state: ClusterState, job: StoredObject, status: object, type: 'Complete' | 'Failed', reason: string) {
  const stamp = nowStamp(state)
  const message =
    type === 'Failed'
      ? 'Job has reached the specified backoff limit or deadline'
      : 'Reached expected number of succeeded pods'
  const conditions = withCondition(job, { type, status: 'True', reason, message }, stamp)
  const times = type === 'Complete' ? { completionTime: stamp } : { failedAt: stamp }
  state.objects.put('jobs.batch', { ...job, status: { ...status, active: 0, conditions, ...times } })
}
