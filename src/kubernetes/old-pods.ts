import { fieldsOf, textOf } from './answer.js'
import type { KubernetesObject } from './port.js'

/** A unit that restarts together: the owner of pods, or a pod without one. */
export interface OldWorkload {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly pods: number
}

/** When the newest of these pods started, by the clock of the cluster; empty if there are none. */
export function newestStart(pods: readonly KubernetesObject[]): string {
  return pods.map(startOf).sort().at(-1) ?? ''
}

/** Workloads that read the CA of the API server at their start, which was no later than this. */
export function workloadsUntil(pods: readonly KubernetesObject[], until: string): OldWorkload[] {
  const found = new Map<string, OldWorkload>()
  for (const pod of pods) {
    if (startOf(pod) === '' || startOf(pod) > until || isMirror(pod) || !knowsCa(pod)) continue
    const workload = workloadOf(pod)
    const key = `${workload.kind} ${workload.namespace} ${workload.name}`
    found.set(key, { ...workload, pods: (found.get(key)?.pods ?? 0) + 1 })
  }
  return [...found.values()]
}

/** How long kubelets may take to replace the tokens of pods that started no later than this; 0 if there are none. */
export function longestRenewal(pods: readonly KubernetesObject[], until: string): number | undefined {
  const seconds = pods
    .filter((pod) => startOf(pod) !== '' && startOf(pod) <= until && isAlive(pod))
    .flatMap(tokenLifetimes)
    .map((lifetime) => Math.min(lifetime * renewedAfter, longestHeldSeconds))
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1000
}

/** Kubelets replace a token after this share of its lifetime, and after a day at the latest. */
const renewedAfter = 0.8
const longestHeldSeconds = 24 * 3600
const usualLifetimeSeconds = 3600

function tokenLifetimes({ spec }: KubernetesObject): number[] {
  const sources = listOf(fieldsOf(spec).volumes).flatMap((volume) =>
    listOf(fieldsOf(fieldsOf(volume).projected).sources),
  )
  const tokens = sources.map((source) => fieldsOf(source).serviceAccountToken).filter((token) => token !== undefined)
  return tokens.map((token) => Number(fieldsOf(token).expirationSeconds ?? usualLifetimeSeconds))
}

function isAlive({ status }: KubernetesObject): boolean {
  return !['Succeeded', 'Failed'].includes(textOf(fieldsOf(status).phase))
}

function startOf({ status }: KubernetesObject): string {
  return textOf(fieldsOf(status).startTime)
}

/** The kubelet runs them from a file and restarts them without the API. */
function isMirror({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
}

/** The API server provides its CA to pods through this ConfigMap, next to their token. */
function knowsCa({ spec }: KubernetesObject): boolean {
  return listOf(fieldsOf(spec).volumes).some((volume) =>
    listOf(fieldsOf(fieldsOf(volume).projected).sources).some(
      (source) => textOf(fieldsOf(fieldsOf(source).configMap).name) === 'kube-root-ca.crt',
    ),
  )
}

/** A ReplicaSet is named after its Deployment, plus a hash. */
function workloadOf({ metadata }: KubernetesObject): Omit<OldWorkload, 'pods'> {
  const { namespace = 'default' } = metadata
  const owner = fieldsOf(listOf(fieldsOf(metadata).ownerReferences)[0])
  const [kind, name] = [textOf(owner.kind), textOf(owner.name)]
  if (kind === '') return { kind: 'Pod', namespace, name: metadata.name ?? '' }
  if (kind !== 'ReplicaSet') return { kind, namespace, name }
  return { kind: 'Deployment', namespace, name: name.replace(/-[a-z0-9]+$/, '') }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
