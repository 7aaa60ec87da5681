import { createHash } from 'node:crypto'
import type { KubernetesObject } from '../kubernetes/port.js'
import { type ChartSource, secretObject } from './addon.js'

/** Where every helm job runs: the namespace that exists first and that Talos exempts from pod security. */
export const jobNamespace = 'kube-system'

const helmDigest = 'alpine/helm:3.19.0@sha256:aef9b56f64e866207d9591d0abd8f6d767b36aadd12edf68f8a719716d9d29c9'

/** The real helm, by digest; from a mirror if there is one. */
export function helmImage(mirror: string | undefined): string {
  return `${mirror ?? 'docker.io'}/${helmDigest}`
}

export interface HelmJob {
  readonly addon: string
  readonly image: string
  /** Arguments of helm. */
  readonly args: readonly string[]
  /** Mounted at `/values/values.yaml`; JSON is YAML. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** `helm upgrade --install …` for a chart: the same arguments in the cluster and on the user's computer. */
export function upgradeArgs(source: ChartSource, namespace: string, valuesFile: string): string[] {
  const isOci = source.repository.startsWith('oci://')
  const chart = isOci ? `${source.repository.replace(/\/$/, '')}/${source.chart}` : source.chart
  return [
    'upgrade',
    '--install',
    source.release,
    chart,
    ...(isOci ? [] : ['--repo', source.repository]),
    '--version',
    source.version,
    '--namespace',
    namespace,
    '--create-namespace',
    '--values',
    valuesFile,
    '--timeout',
    '10m',
  ]
}

export function uninstallArgs(release: string, namespace: string): string[] {
  return ['uninstall', release, '--namespace', namespace, '--ignore-not-found', '--timeout', '10m']
}

export const valuesFile = '/values/values.yaml'

/** Jobs are immutable: a different request is a different job. */
export function jobName({ addon, args, values, image }: HelmJob): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([args, values, image]))
    .digest('hex')
    .slice(0, 8)
  return `${accountName(addon)}-${hash}`
}

/** The name of an addon's service account, binding and Secret. */
export function accountName(addon: string): string {
  return `ichor-helm-${addon.replaceAll('_', '-').toLowerCase()}`
}

/** Everything that the job needs; cluster-admin is removed when it has ended. */
export function helmJobObjects(job: HelmJob): KubernetesObject[] {
  const name = accountName(job.addon)
  const metadata = { name, namespace: jobNamespace, labels: labelsOf(job.addon) }
  const group = 'rbac.authorization.k8s.io'
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels: labelsOf(job.addon) },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: jobNamespace }],
    },
    secretObject(name, jobNamespace, { 'values.yaml': JSON.stringify(job.values ?? {}) }, labelsOf(job.addon)),
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { ...metadata, name: jobName(job) },
      spec: {
        backoffLimit: 2,
        activeDeadlineSeconds: 1200,
        template: { metadata: { labels: labelsOf(job.addon) }, spec: podSpec(job) },
      },
    },
  ]
}

function labelsOf(addon: string) {
  return { 'app.kubernetes.io/managed-by': 'ichor', 'ichor.dev/addon': addon }
}

/** Taints of a cluster whose network, cloud controller or workers do not exist yet. */
const tolerations = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/network-unavailable',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node-role.kubernetes.io/control-plane',
  'node.cilium.io/agent-not-ready',
].map((key) => ({ key, operator: 'Exists' }))

/** On the host network with the host's DNS, through KubePrism, so that it can install the CNI. */
function podSpec({ addon, image, args }: HelmJob): object {
  return {
    serviceAccountName: accountName(addon),
    restartPolicy: 'Never',
    hostNetwork: true,
    dnsPolicy: 'Default',
    priorityClassName: 'system-cluster-critical',
    tolerations,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65534,
      runAsGroup: 65534,
      fsGroup: 65534,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'helm',
        image,
        command: ['helm'],
        args,
        env: [
          { name: 'KUBERNETES_SERVICE_HOST', value: '127.0.0.1' },
          { name: 'KUBERNETES_SERVICE_PORT', value: '7445' },
          { name: 'HOME', value: '/home/helm' },
        ],
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
        volumeMounts: [
          { name: 'values', mountPath: '/values', readOnly: true },
          { name: 'home', mountPath: '/home/helm' },
          { name: 'tmp', mountPath: '/tmp' },
        ],
      },
    ],
    volumes: [
      { name: 'values', secret: { secretName: accountName(addon) } },
      { name: 'home', emptyDir: {} },
      { name: 'tmp', emptyDir: {} },
    ],
  }
}
