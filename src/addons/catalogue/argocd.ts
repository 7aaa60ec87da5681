import type { KubernetesObject } from '../../kubernetes/port.js'
import { type AddonRequest, defineAddon, namespaceObject, rollout, secretObject } from '../addon.js'
import { findGitSource, gitOptions, isSsh } from './git-source.js'

const metrics = { metrics: { enabled: true, serviceMonitor: { enabled: true } } }
const monitored = {
  controller: metrics,
  server: metrics,
  repoServer: metrics,
  applicationSet: metrics,
  notifications: metrics,
}

export const argocd = defineAddon({
  name: 'argocd',
  title: 'Argo CD',
  summary: 'GitOps by Argo CD, with an app of apps.',
  tried: 'chart',
  version: '10.1.1',
  namespace: 'argocd',
  options: gitOptions,
  after: ['cilium', 'flannel', 'prometheus_crds', 'proxmox_ccm', 'proxmox_csi', 'longhorn'],
  install: (request) => ({
    before: [namespaceObject(request.namespace), ...repositoryObjects(request)],
    source: {
      kind: 'chart',
      repository: 'https://argoproj.github.io/argo-helm',
      chart: 'argo-cd',
      version: request.version,
      release: 'argocd',
      values: request.isMonitored ? monitored : {},
    },
    after: appOfApps(request),
  }),
  checks: ({ namespace }) => [
    rollout('Deployment', namespace, 'argocd-server'),
    rollout('Deployment', namespace, 'argocd-repo-server'),
    rollout('StatefulSet', namespace, 'argocd-application-controller'),
  ],
})

/** Argo CD finds repositories by the label of their Secret. */
function repositoryObjects({ settings, context, namespace }: AddonRequest): readonly KubernetesObject[] {
  const source = findGitSource(settings)
  const key = context.secrets['argocd.key']
  if (source === undefined || key === undefined) return []
  const labels = { 'argocd.argoproj.io/secret-type': 'repository' }
  const access = isSsh(source.repository) ? { sshPrivateKey: key } : { username: 'git', password: key }
  const texts = { type: 'git', url: source.repository, ...access }
  return [secretObject('ichor-git', namespace, texts, labels)]
}

function appOfApps({ settings, namespace }: AddonRequest): readonly KubernetesObject[] {
  const source = findGitSource(settings)
  if (source === undefined) return []
  return [
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'ichor-apps', namespace },
      spec: {
        project: 'default',
        source: { repoURL: source.repository, targetRevision: source.branch, path: source.path },
        destination: { server: 'https://kubernetes.default.svc', namespace },
        syncPolicy: { automated: { prune: true, selfHeal: true } },
      },
    },
  ]
}
