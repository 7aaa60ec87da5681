import type { KubernetesObject } from '../../kubernetes/port.js'
import { defineAddon, namespaceObject, rollout } from '../addon.js'

const name = 'kubelet-serving-cert-approver'
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/instance': name }

/**
 * Approves serving certificates of kubelets after `up` has ended: they are renewed every year and requested by new
 * nodes.
 */
export const kubeletCsrApprover = defineAddon({
  name: 'kubelet_csr_approver',
  title: 'Kubelet certificate approver',
  summary: 'Approves serving certificates of kubelets inside the cluster.',
  tried: 'no-chart',
  version: '0.11.0',
  namespace: name,
  after: ['cilium', 'flannel'],
  machines: () => ({ rotateServerCertificates: true }),
  install: ({ namespace, version, context }) => ({
    before: [namespaceObject(namespace)],
    source: {
      kind: 'manifests',
      objects: objectsFor(namespace, `${imageHome(context.registry?.images)}/alex1989hu/${name}:${version}`),
    },
  }),
  checks: ({ namespace }) => [rollout('Deployment', namespace, name)],
})

function imageHome(mirror: string | undefined): string {
  return mirror ?? 'ghcr.io'
}

const group = 'rbac.authorization.k8s.io'

function objectsFor(namespace: string, image: string): readonly KubernetesObject[] {
  const account = { kind: 'ServiceAccount', name, namespace }
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, labels } },
    { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: `ichor:${name}`, labels }, rules },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `ichor:${name}`, labels },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: `ichor:${name}` },
      subjects: [account],
    },
    deployment(namespace, image),
  ]
}

const rules = [
  { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests/approval'], verbs: ['update'] },
  {
    apiGroups: ['certificates.k8s.io'],
    resources: ['signers'],
    resourceNames: ['kubernetes.io/kubelet-serving'],
    verbs: ['approve'],
  },
  { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
]

function deployment(namespace: string, image: string): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(image) },
    },
  }
}

function podSpec(image: string): object {
  return {
    serviceAccountName: name,
    priorityClassName: 'system-cluster-critical',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65534,
      runAsGroup: 65534,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    tolerations: [
      { key: 'node-role.kubernetes.io/control-plane', operator: 'Exists', effect: 'NoSchedule' },
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', operator: 'Exists', effect: 'NoSchedule' },
    ],
    containers: [
      {
        name: 'cert-approver',
        image,
        args: ['serve'],
        env: [{ name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
        ports: [{ name: 'health', containerPort: 8080 }],
        livenessProbe: { httpGet: { path: '/healthz', port: 'health' } },
        readinessProbe: { httpGet: { path: '/readyz', port: 'health' } },
        resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { memory: '32Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  }
}
