import { UserFacingError } from '../errors.js'
import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { Clock } from '../world.js'
import { AddonFailed } from './addon-failed.js'
import { accountName, type HelmJob, helmJobObjects, jobName, jobNamespace } from './helm-job.js'
import type { LocalHelm } from './local-helm.js'

/** The tools for installing and removing addons. */
export interface AddonTools {
  readonly api: KubernetesApi
  readonly clock: Clock
  /** Reported as progress. */
  readonly note: (line: string) => void
  /** The local helm, for addons with `delivery: helm`. */
  readonly localHelm?: LocalHelm
}

export const fieldOwner = { fieldManager: 'ichor', force: true } as const

/** The owner of what an addon applies: the object then proves to which addon it belongs. */
export function fieldOwnerOf(addon: string): { readonly fieldManager: string; readonly force: true } {
  return { ...fieldOwner, fieldManager: `ichor-${addon}` }
}

const jobKind = { apiVersion: 'batch/v1', kind: 'Job' }
const podKind = { apiVersion: 'v1', kind: 'Pod' }
const secretKind = { apiVersion: 'v1', kind: 'Secret' }
const pauseMs = 2_000
const deadlineMs = 25 * 60_000
/** A pull that fails for this long is reported instead of awaited. */
const pullPatienceMs = 3 * 60_000

/**
 * Runs helm in the cluster and waits for its end. A running job of the same request (from a run that was stopped) is
 * awaited; a failed one is replaced. The rights are removed in every case.
 */
export async function runHelmJob(tools: AddonTools, job: HelmJob, title: string, signal: AbortSignal): Promise<void> {
  const { api } = tools
  const name = jobName(job)
  const before = await api.find(jobKind, jobNamespace, name, signal)
  if (stateOf(before) === 'failed') await removeJob(tools, name, signal)
  if (stateOf(before) !== 'running') await forgetUnfinishedRelease(api, job, signal)
  try {
    await api.apply(helmJobObjects(job), fieldOwner, signal)
    await waitForJob(tools, job, title, signal)
  } catch (error) {
    // If the API is unreachable the rights cannot be removed either: report the first error, and the next run cleans
    // up.
    await takeRightsAway(api, job.addon).catch(() => {})
    if (error instanceof AddonFailed) await removeUnfinished(tools, name, signal).catch(() => {})
    throw error
  }
  await takeRightsAway(api, job.addon)
  await removeJob(tools, name, signal)
}

/** An abandoned job would start later, when its image can be pulled, and fail without its rights. */
async function removeUnfinished(tools: AddonTools, name: string, signal: AbortSignal): Promise<void> {
  const job = await tools.api.find(jobKind, jobNamespace, name, signal)
  if (stateOf(job) === 'running') await removeJob(tools, name, signal)
}

type JobState = 'missing' | 'running' | 'done' | 'failed'

function stateOf(job: KubernetesObject | undefined): JobState {
  if (job === undefined) return 'missing'
  const conditions =
    (job.status as { conditions?: readonly { type: string; status: string }[] } | undefined)?.conditions ?? []
  const is = (type: string) => conditions.some((one) => one.type === type && one.status === 'True')
  return is('Complete') ? 'done' : is('Failed') ? 'failed' : 'running'
}

/** Helm refuses a release whose last operation was interrupted; no job of ours is running at this point. */
async function forgetUnfinishedRelease(api: KubernetesApi, { args }: HelmJob, signal: AbortSignal) {
  const release = args[0] === 'upgrade' ? args[2] : undefined
  const namespace = args[args.indexOf('--namespace') + 1]
  if (release === undefined || namespace === undefined) return
  const selector = `owner=helm,name=${release},status in (pending-install,pending-upgrade,pending-rollback)`
  const unfinished = await api.list(secretKind, namespace, { labelSelector: selector }, signal)
  for (const { metadata } of unfinished) await api.delete(secretKind, namespace, metadata.name ?? '', signal)
}

async function waitForJob(tools: AddonTools, job: HelmJob, title: string, signal: AbortSignal) {
  const { api, clock, note } = tools
  const name = jobName(job)
  const started = clock.monotonic()
  note(`helm ${job.args.slice(0, 4).join(' ')} as Job ${jobNamespace}/${name}`)
  for (;;) {
    const state = stateOf(await api.find(jobKind, jobNamespace, name, signal))
    if (state === 'done') return
    const waited = clock.monotonic() - started
    const pods = await podsOf(api, name, signal)
    const waiting = pods.map(pullProblem).find(Boolean)
    if (waiting !== undefined && waited > pullPatienceMs) throw failed(job, title, waiting, [])
    if (state === 'failed' || waited > deadlineMs) throw failed(job, title, undefined, await logOf(api, pods, signal))
    await clock.sleep(pauseMs, signal)
  }
}

async function podsOf(api: KubernetesApi, job: string, signal: AbortSignal): Promise<KubernetesObject[]> {
  return api.list(podKind, jobNamespace, { labelSelector: `job-name=${job}` }, signal)
}

function pullProblem(pod: KubernetesObject): string | undefined {
  const status = pod.status as
    | { containerStatuses?: readonly { state?: { waiting?: { reason?: string; message?: string } } }[] }
    | undefined
  const waiting = status?.containerStatuses?.[0]?.state?.waiting
  return /ImagePull|ErrImage|InvalidImageName/.test(waiting?.reason ?? '')
    ? (waiting?.message ?? waiting?.reason)
    : undefined
}

/** The last lines of the newest pod, or why they cannot be read. */
async function logOf(api: KubernetesApi, pods: readonly KubernetesObject[], signal: AbortSignal): Promise<string[]> {
  const pod = pods.at(-1)?.metadata.name
  if (pod === undefined) return ['The job did not create a pod.']
  try {
    const text = await api.podLogs(jobNamespace, pod, { container: 'helm', tailLines: 12 }, signal)
    return text.split('\n').filter(Boolean)
  } catch (error) {
    return [`Its log cannot be read: ${error instanceof UserFacingError ? error.message : String(error)}`]
  }
}

const advice: readonly { readonly when: RegExp; readonly fix: string }[] = [
  {
    when: /no such host|connection refused|i\/o timeout|context deadline exceeded|looks like .* is not a valid chart repository|server misbehaving/i,
    fix: 'Check that the nodes reach the chart repository, or set a mirror for charts.',
  },
  { when: /not found|no chart version/i, fix: 'Check name, version and repository of the chart.' },
  {
    when: /failed calling webhook|admission webhook/i,
    fix: 'Check the webhook that rejected the request: its own pods may not be ready yet.',
  },
  { when: /pull|image/i, fix: 'Check that the nodes reach the registry of the image, or set a mirror for images.' },
]

function failed(
  { addon, args }: HelmJob,
  title: string,
  problem: string | undefined,
  log: readonly string[],
): AddonFailed {
  const failure =
    problem ?? (log.length === 0 ? 'the job did not finish in time' : `output of helm:\n  ${log.join('\n  ')}`)
  const hint = advice.find(({ when }) => when.test(failure))?.fix ?? `Correct addons.${addon}.values or its version.`
  return new AddonFailed(`${title} could not be ${args[0] === 'uninstall' ? 'removed' : 'installed'}: ${failure}`, {
    where: `addons.${addon} (Job ${jobNamespace}/${accountName(addon)}-…, \`helm ${args.slice(0, 4).join(' ')}\`)`,
    fix: `${hint} The rest of the cluster is up; run \`ichor up\` again to continue.`,
  })
}

async function removeJob({ api, clock }: AddonTools, name: string, signal: AbortSignal) {
  await api.delete(jobKind, jobNamespace, name, signal)
  for (let tries = 0; tries < 30; tries++) {
    if ((await api.find(jobKind, jobNamespace, name, signal)) === undefined) return
    await clock.sleep(500, signal)
  }
}

/** Runs even when the run is cancelled: these rights must not stay. */
async function takeRightsAway(api: KubernetesApi, addon: string) {
  const signal = AbortSignal.timeout(15_000)
  const name = accountName(addon)
  await api.delete({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' }, undefined, name, signal)
  await api.delete(secretKind, jobNamespace, name, signal)
  await api.delete({ apiVersion: 'v1', kind: 'ServiceAccount' }, jobNamespace, name, signal)
}
