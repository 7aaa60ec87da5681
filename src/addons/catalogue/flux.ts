import type { KubernetesObject } from '../../kubernetes/port.js'
import { type AddonRequest, defineAddon, namespaceObject, rollout, secretObject, textOption } from '../addon.js'
import { findGitSource, type GitSource, gitOptions, isSsh } from './git-source.js'

export const flux = defineAddon({
  name: 'flux',
  title: 'Flux',
  summary: 'GitOps by Flux.',
  tried: 'chart',
  version: '2.18.3',
  namespace: 'flux-system',
  options: {
    ...gitOptions,
    known_hosts: {
      kind: 'text',
      help: 'Keys of the Git server, as `ssh-keyscan` prints them: Flux trusts no SSH server without.',
    },
  },
  after: ['cilium', 'flannel', 'prometheus_crds', 'proxmox_ccm', 'proxmox_csi'],
  install: (request) => ({
    before: [namespaceObject(request.namespace), ...keyObjects(request)],
    source: {
      kind: 'chart',
      repository: 'https://fluxcd-community.github.io/helm-charts',
      chart: 'flux2',
      version: request.version,
      release: 'flux2',
      values: request.isMonitored ? { prometheus: { podMonitor: { create: true } } } : {},
    },
    after: sourceObjects(request),
  }),
  checks: ({ namespace }) =>
    ['source-controller', 'kustomize-controller', 'helm-controller', 'notification-controller'].map((name) =>
      rollout('Deployment', namespace, name),
    ),
})

const keyName = 'ichor-git'

/** An SSH key goes under `identity`, a token under `password`, where Flux's source controller reads them. */
function keyObjects({ settings, context, namespace }: AddonRequest): readonly KubernetesObject[] {
  const source = findGitSource(settings)
  const key = context.secrets['flux.key']
  if (source === undefined || key === undefined) return []
  const texts: Record<string, string> = isSsh(source.repository)
    ? { identity: key, known_hosts: textOption(settings, 'known_hosts') ?? '' }
    : { username: 'git', password: key }
  return [secretObject(keyName, namespace, texts)]
}

function sourceObjects({ settings, context, namespace }: AddonRequest): readonly KubernetesObject[] {
  const source = findGitSource(settings)
  if (source === undefined) return []
  const hasKey = context.secrets['flux.key'] !== undefined
  return [gitRepository(source, namespace, hasKey), kustomization(source, namespace)]
}

function gitRepository({ repository, branch }: GitSource, namespace: string, hasKey: boolean): KubernetesObject {
  return {
    apiVersion: 'source.toolkit.fluxcd.io/v1',
    kind: 'GitRepository',
    metadata: { name: 'ichor', namespace },
    spec: { interval: '1m0s', url: repository, ref: { branch }, ...(hasKey ? { secretRef: { name: keyName } } : {}) },
  }
}

function kustomization({ path }: GitSource, namespace: string): KubernetesObject {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'ichor', namespace },
    spec: {
      interval: '10m0s',
      path: `./${path.replace(/^\.?\/*/, '')}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: 'ichor' },
    },
  }
}
