import type { JsonMap } from '../object.js'
import type { ClusterFacts } from '../seam.js'

export interface RenderInput {
  readonly values: JsonMap
  readonly release: string
  readonly namespace: string
  readonly facts: ClusterFacts
}

/** The observable effects of a chart of the catalogue. */
export interface ChartTable {
  readonly chart: string
  readonly repository: string
  readonly render: (input: RenderInput) => readonly JsonMap[]
}

/** Message of pods that run and never become ready, for values that are wrong on Talos or Proxmox. */
export const neverReady = 'lab.ichor.dev/never-ready'

export interface WorkloadOptions {
  readonly replicas?: number
  readonly hostNetwork?: boolean
  readonly tolerations?: unknown
  readonly nodeSelector?: unknown
  readonly problem?: string | undefined
  readonly hostPorts?: readonly number[]
  readonly claims?: readonly string[]
  readonly args?: readonly string[]
  /** Value of `app.kubernetes.io/name`; the workload's name by default. */
  readonly app?: string
}

type Kind = 'Deployment' | 'DaemonSet' | 'StatefulSet'

export function workload(kind: Kind, namespace: string, name: string, options: WorkloadOptions = {}): JsonMap {
  const labels = { 'app.kubernetes.io/name': options.app ?? name, 'app.kubernetes.io/instance': name }
  const annotations = options.problem === undefined ? {} : { [neverReady]: options.problem }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace, labels: { ...labels, 'app.kubernetes.io/managed-by': 'Helm' } },
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas: options.replicas ?? 1 }),
      ...(kind === 'StatefulSet' ? { serviceName: name, volumeClaimTemplates: (options.claims ?? []).map(claim) } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations }, spec: podSpec(name, options) },
    },
  }
}

function podSpec(
  name: string,
  { hostNetwork, tolerations, nodeSelector, hostPorts = [], args }: WorkloadOptions,
): JsonMap {
  const ports = hostPorts.map((port) => ({ name: `p-${port}`, containerPort: port, hostPort: port }))
  return {
    ...(hostNetwork === true ? { hostNetwork } : {}),
    ...(tolerations === undefined ? {} : { tolerations }),
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    containers: [
      {
        name,
        image: `lab.invalid/${name}`,
        ...(ports.length > 0 ? { ports } : {}),
        ...(args === undefined ? {} : { args }),
      },
    ],
  }
}

function claim(name: string): JsonMap {
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } } }
}

/** Tolerates every taint, like agents on all nodes. */
export const everywhere = [{ operator: 'Exists' }]

export function crd(
  group: string,
  kind: string,
  plural: string,
  version = 'v1',
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): JsonMap {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }
}

export function service(namespace: string, name: string, port: number, type = 'ClusterIP'): JsonMap {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type, selector: { 'app.kubernetes.io/name': name }, ports: [{ port }] },
  }
}

export function clusterObject(apiVersion: string, kind: string, name: string, rest: JsonMap = {}): JsonMap {
  return { apiVersion, kind, metadata: { name }, ...rest }
}
