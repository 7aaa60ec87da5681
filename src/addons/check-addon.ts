import type { KubernetesApi, KubernetesObject } from '../kubernetes/port.js'
import type { AddonCheck } from './addon.js'

/** Why an addon is not healthy, in words; empty if it is. */
export async function addonProblems(
  api: KubernetesApi,
  checks: readonly AddonCheck[],
  signal: AbortSignal,
): Promise<string[]> {
  const found = await Promise.all(checks.map((check) => problemOf(api, check, signal)))
  return found.filter((problem) => problem !== undefined)
}

/** `Deployment cert-manager/cert-manager`: the object of a check. */
export function describeCheck(check: AddonCheck): string {
  switch (check.kind) {
    case 'rollout':
      return `${check.workload} ${check.namespace}/${check.name}`
    case 'crd':
      return `CustomResourceDefinition ${check.name}`
    case 'api-service':
      return `APIService ${check.name}`
    case 'exists':
      return `${check.objectKind} ${check.namespace === undefined ? '' : `${check.namespace}/`}${check.name}`
  }
}

async function problemOf(api: KubernetesApi, check: AddonCheck, signal: AbortSignal): Promise<string | undefined> {
  const [kind, namespace] = lookup(check)
  const object = await api.find(kind, namespace, check.name, signal)
  const what = describeCheck(check)
  if (object === undefined) return `${what} does not exist`
  const lack = lackOf(check, object)
  return lack === undefined ? undefined : `${what}: ${lack}`
}

function lookup(check: AddonCheck): [{ apiVersion: string; kind: string }, string | undefined] {
  switch (check.kind) {
    case 'rollout':
      return [{ apiVersion: 'apps/v1', kind: check.workload }, check.namespace]
    case 'crd':
      return [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' }, undefined]
    case 'api-service':
      return [{ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' }, undefined]
    case 'exists':
      return [{ apiVersion: check.apiVersion, kind: check.objectKind }, check.namespace]
  }
}

interface Status {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[]
  readonly observedGeneration?: number
  readonly desiredNumberScheduled?: number
  readonly updatedNumberScheduled?: number
  readonly numberReady?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
}

function lackOf(check: AddonCheck, object: KubernetesObject): string | undefined {
  const status = (object.status ?? {}) as Status
  const isTrue = (type: string) => status.conditions?.some((one) => one.type === type && one.status === 'True') ?? false
  if (check.kind === 'crd') return isTrue('Established') ? undefined : 'it is not established'
  if (check.kind === 'api-service') return isTrue('Available') ? undefined : 'it is not available'
  return check.kind === 'rollout' ? rolloutLack(object, status) : undefined
}

function rolloutLack({ kind, spec, metadata }: KubernetesObject, status: Status): string | undefined {
  const generation = (metadata as { generation?: number }).generation ?? 0
  if ((status.observedGeneration ?? 0) < generation) return 'the controller has not observed the latest change'
  const isDaemonSet = kind === 'DaemonSet'
  const wanted = isDaemonSet
    ? (status.desiredNumberScheduled ?? 0)
    : ((spec as { replicas?: number } | undefined)?.replicas ?? 1)
  const updated = (isDaemonSet ? status.updatedNumberScheduled : status.updatedReplicas) ?? 0
  const ready = (isDaemonSet ? status.numberReady : status.readyReplicas) ?? 0
  if (updated < wanted) return `${updated} of ${wanted} pods are of the newest revision`
  return ready < wanted ? `${ready} of ${wanted} pods are ready` : undefined
}
