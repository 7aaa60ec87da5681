import { reasonOf } from '../../errors.js'
import { isNotFound } from '../../kubernetes/kubernetes-error.js'
import type { KubernetesApi, KubernetesObject, ObjectKind } from '../../kubernetes/port.js'

const helmReleases: ObjectKind = { apiVersion: 'v1', kind: 'Secret' }
const fluxReleases: ObjectKind = { apiVersion: 'helm.toolkit.fluxcd.io/v2', kind: 'HelmRelease' }
const argoApplications: ObjectKind = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application' }

/** Charts that run, and what manages them: one line each. ichor leaves all of them alone. */
export async function lookAtCharts(api: Pick<KubernetesApi, 'list'>, signal: AbortSignal): Promise<string[]> {
  try {
    const options = { labelSelector: 'owner=helm,status=deployed' }
    const [secrets, releases, applications] = await Promise.all([
      api.list(helmReleases, undefined, options, signal),
      listIfKnown(api, fluxReleases, signal),
      listIfKnown(api, argoApplications, signal),
    ])
    const ofFlux = new Set(releases.map(releaseOf))
    const charts = secrets.map(({ metadata }) => {
      const release = `${metadata.namespace ?? ''}/${metadata.labels?.name ?? metadata.name}`
      return `${release}: a Helm release${ofFlux.has(release) ? ' of Flux' : ''}`
    })
    const argo = applications.map(
      ({ metadata: { namespace, name } }) => `${namespace ?? ''}/${name}: an application of Argo CD`,
    )
    return [...new Set([...charts, ...argo])].sort()
  } catch (thrown) {
    signal.throwIfAborted()
    return [`They could not be read: ${reasonOf(thrown)}`]
  }
}

/** A cluster without Flux or Argo CD has no such kind. */
async function listIfKnown(
  api: Pick<KubernetesApi, 'list'>,
  kind: ObjectKind,
  signal: AbortSignal,
): Promise<KubernetesObject[]> {
  try {
    return await api.list(kind, undefined, {}, signal)
  } catch (thrown) {
    if (isNotFound(thrown)) return []
    throw thrown
  }
}

/** Where Flux keeps its release, and what it calls it unless a HelmRelease has a name for it. */
function releaseOf({ metadata, spec }: KubernetesObject): string {
  const fields: Readonly<Record<string, unknown>> = typeof spec === 'object' && spec !== null ? { ...spec } : {}
  const { releaseName, targetNamespace, storageNamespace } = fields
  const usual = typeof targetNamespace === 'string' ? `${targetNamespace}-${metadata.name}` : metadata.name
  const namespace = typeof storageNamespace === 'string' ? storageNamespace : metadata.namespace
  return `${namespace ?? ''}/${typeof releaseName === 'string' ? releaseName : usual}`
}
