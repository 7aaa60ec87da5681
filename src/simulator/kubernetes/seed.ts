import { parseAllDocuments } from 'yaml'
import { type ClusterState, findResourceOfKind, nowStamp } from './cluster-state.js'
import { isMap, type JsonMap, textAt } from './object.js'
import { resourceKey } from './resources.js'
import type { ClusterFacts } from './seam.js'
import { createObject } from './write/write-object.js'

/** The content of a new cluster: namespaces, roles, and what Talos applies at first boot. */
export function seedCluster(state: ClusterState): void {
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease'])
    bring(state, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const object of [...roles, ...priorityClasses, kubernetesService, ...talosWorkloads(state)]) bring(state, object)
}

/** Talos's inline manifests; an object that cannot be created yet (its CRD is new) is tried again later. */
export function bringInlineManifests(state: ClusterState, manifests: ClusterFacts['inlineManifests']): void {
  for (const { contents } of manifests)
    for (const document of parseAllDocuments(contents)) {
      const object: unknown = document.toJS()
      if (isMap(object) && !isThere(state, object)) bring(state, object)
    }
}

function isThere(state: ClusterState, object: JsonMap): boolean {
  const resource = findResourceOfKind(state, String(object.apiVersion), String(object.kind))
  if (resource === undefined) return false
  const namespace = resource.namespaced ? (textAt(object, 'metadata', 'namespace') ?? 'default') : undefined
  return state.objects.find(resourceKey(resource), namespace, textAt(object, 'metadata', 'name') ?? '') !== undefined
}

function bring(state: ClusterState, object: JsonMap): void {
  const resource = findResourceOfKind(state, String(object.apiVersion), String(object.kind))
  if (resource === undefined) return
  const namespace = resource.namespaced ? (textAt(object, 'metadata', 'namespace') ?? 'default') : undefined
  createObject(state, { resource, namespace }, object, { fieldManager: 'talos', force: false, dryRun: false })
  state.ledger.record({
    at: state.clock.now(),
    surface: 'kubernetes',
    event: 'talos.manifest',
    subject: `${object.kind}/${textAt(object, 'metadata', 'name')} ${nowStamp(state)}`,
    mutating: false,
  })
}

const roles: readonly JsonMap[] = [
  clusterRole('cluster-admin', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]),
  clusterRole('view', [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }]),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'cluster-admin' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:masters' }],
  },
]

function clusterRole(name: string, rules: readonly JsonMap[]): JsonMap {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules }
}

const priorityClasses: readonly JsonMap[] = [
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
  },
  {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
  },
]

const kubernetesService: JsonMap = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
  spec: { ports: [{ name: 'https', port: 443, targetPort: 6443 }] },
}

function talosWorkloads(state: ClusterState): readonly JsonMap[] {
  const { cni, kubeProxy, proxyImage } = state.facts
  return [
    ...(cni === 'flannel' ? [daemonSet('kube-flannel', 'flannel', 'ghcr.io/siderolabs/flannel:v0.27.2')] : []),
    ...(kubeProxy ? [kubeProxyManifest(proxyImage ?? 'registry.k8s.io/kube-proxy')] : []),
    coreDns,
  ]
}

/** The DaemonSet that Talos applies, and that a manifest sync changes. */
export function kubeProxyManifest(image: string): JsonMap {
  return daemonSet('kube-proxy', 'kube-proxy', image)
}

function daemonSet(name: string, app: string, image: string): JsonMap {
  const labels = { 'k8s-app': app }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: 'kube-system', labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          tolerations: [
            { operator: 'Exists', effect: 'NoSchedule' },
            { operator: 'Exists', effect: 'NoExecute' },
          ],
          containers: [{ name: app, image }],
        },
      },
    },
  }
}

const dnsLabels = { 'k8s-app': 'kube-dns' }

const coreDns: JsonMap = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'coredns', namespace: 'kube-system', labels: dnsLabels },
  spec: {
    replicas: 2,
    selector: { matchLabels: dnsLabels },
    template: {
      metadata: { labels: dnsLabels },
      spec: {
        priorityClassName: 'system-cluster-critical',
        tolerations: [
          { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
          { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists', effect: 'NoSchedule' },
        ],
        containers: [
          {
            name: 'coredns',
            image: 'registry.k8s.io/coredns/coredns:v1.12.4',
            ports: [{ containerPort: 53, protocol: 'UDP' }],
          },
        ],
      },
    },
  },
}
