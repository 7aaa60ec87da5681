import { fieldsOf, textOf } from './answer.js'
import type { KubernetesObject } from './port.js'

/** What has to be restarted as one: the owner of pods, or a pod that has none. */
export interface OldWorkload {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly pods: number
}

/** When the newest of these pods was started, by the clock of the cluster itself; empty where there are none. */
export function newestStart(pods: readonly KubernetesObject[]): string {
  return pods.map(startOf).sort().at(-1) ?? ''
}

/** Those that read the CA of the API server when they started, and did so no later than this. */
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

/** How long kubelets may take to replace the tokens of pods that started no later than this; nothing where there are none. */
export function longestRenewal(pods: readonly KubernetesObject[], until: string): number | undefined {
  const seconds = pods
    .filter((pod) => startOf(pod) !== '' && startOf(pod) <= until && isAlive(pod))
    .flatMap(tokenLifetimes)
    .map((lifetime) => Math.min(lifetime * renewedAfter, longestHeldSeconds))
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1000
}

/** Kubelets replace a token when this much of its life is over, and after a day whatever its life is. */
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

/** The kubelet runs them from a file and restarts them by itself. */
function isMirror({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
}

/** The API server gives pods its CA beside their token, from this ConfigMap. */
function knowsCa({ spec }: KubernetesObject): boolean {
  return listOf(fieldsOf(spec).volumes).some((volume) =>
    listOf(fieldsOf(fieldsOf(volume).projected).sources).some(
      (source) => textOf(fieldsOf(fieldsOf(source).configMap).name) === 'kube-root-ca.crt',
    ),
  )
}

/** A ReplicaSet is named after its Deployment, with a hash. */
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
