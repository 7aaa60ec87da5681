/** One kind of object that the API serves. */
export interface Resource {
  readonly group: string
  /** All served versions, the preferred one first. Objects are stored in the first. */
  readonly versions: readonly string[]
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly hasStatus: boolean
  readonly subresources: readonly string[]
  /** Set for kinds of a CustomResourceDefinition. */
  readonly custom?: boolean
  /** Its definition keeps fields that no schema describes. */
  readonly schemaless?: boolean
}

type Row = readonly [kind: string, plural: string, scope: 'ns' | 'cluster', shortNames?: string, marks?: string]

const statusOnly = 'status'

const groups: readonly { group: string; versions: readonly string[]; rows: readonly Row[] }[] = [
  {
    group: '',
    versions: ['v1'],
    rows: [
      ['ConfigMap', 'configmaps', 'ns', 'cm'],
      ['Endpoints', 'endpoints', 'ns', 'ep'],
      ['Event', 'events', 'ns', 'ev'],
      ['LimitRange', 'limitranges', 'ns', 'limits'],
      ['Namespace', 'namespaces', 'cluster', 'ns', 'status finalize'],
      ['Node', 'nodes', 'cluster', 'no', statusOnly],
      ['PersistentVolumeClaim', 'persistentvolumeclaims', 'ns', 'pvc', statusOnly],
      ['PersistentVolume', 'persistentvolumes', 'cluster', 'pv', statusOnly],
      ['Pod', 'pods', 'ns', 'po', 'status all log eviction'],
      ['PodTemplate', 'podtemplates', 'ns'],
      ['ReplicationController', 'replicationcontrollers', 'ns', 'rc', 'status all'],
      ['ResourceQuota', 'resourcequotas', 'ns', 'quota', statusOnly],
      ['Secret', 'secrets', 'ns'],
      ['ServiceAccount', 'serviceaccounts', 'ns', 'sa', 'token'],
      ['Service', 'services', 'ns', 'svc', 'status all'],
    ],
  },
  {
    group: 'apps',
    versions: ['v1'],
    rows: [
      ['ControllerRevision', 'controllerrevisions', 'ns'],
      ['DaemonSet', 'daemonsets', 'ns', 'ds', 'status all'],
      ['Deployment', 'deployments', 'ns', 'deploy', 'status all scale'],
      ['ReplicaSet', 'replicasets', 'ns', 'rs', 'status all scale'],
      ['StatefulSet', 'statefulsets', 'ns', 'sts', 'status all scale'],
    ],
  },
  {
    group: 'batch',
    versions: ['v1'],
    rows: [
      ['Job', 'jobs', 'ns', '', 'status all'],
      ['CronJob', 'cronjobs', 'ns', 'cj', 'status all'],
    ],
  },
  {
    group: 'autoscaling',
    versions: ['v2', 'v1'],
    rows: [['HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'ns', 'hpa', 'status all']],
  },
  {
    group: 'policy',
    versions: ['v1'],
    rows: [['PodDisruptionBudget', 'poddisruptionbudgets', 'ns', 'pdb', statusOnly]],
  },
  {
    group: 'rbac.authorization.k8s.io',
    versions: ['v1'],
    rows: [
      ['Role', 'roles', 'ns'],
      ['RoleBinding', 'rolebindings', 'ns'],
      ['ClusterRole', 'clusterroles', 'cluster'],
      ['ClusterRoleBinding', 'clusterrolebindings', 'cluster'],
    ],
  },
  {
    group: 'networking.k8s.io',
    versions: ['v1'],
    rows: [
      ['Ingress', 'ingresses', 'ns', 'ing', statusOnly],
      ['IngressClass', 'ingressclasses', 'cluster'],
      ['NetworkPolicy', 'networkpolicies', 'ns', 'netpol'],
    ],
  },
  {
    group: 'storage.k8s.io',
    versions: ['v1'],
    rows: [
      ['StorageClass', 'storageclasses', 'cluster', 'sc'],
      ['CSIDriver', 'csidrivers', 'cluster'],
      ['CSINode', 'csinodes', 'cluster'],
      ['VolumeAttachment', 'volumeattachments', 'cluster', '', statusOnly],
      ['CSIStorageCapacity', 'csistoragecapacities', 'ns'],
    ],
  },
  {
    group: 'apiextensions.k8s.io',
    versions: ['v1'],
    rows: [['CustomResourceDefinition', 'customresourcedefinitions', 'cluster', 'crd crds', statusOnly]],
  },
  {
    group: 'apiregistration.k8s.io',
    versions: ['v1'],
    rows: [['APIService', 'apiservices', 'cluster', '', statusOnly]],
  },
  {
    group: 'admissionregistration.k8s.io',
    versions: ['v1'],
    rows: [
      ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', 'cluster'],
      ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', 'cluster'],
      ['ValidatingAdmissionPolicy', 'validatingadmissionpolicies', 'cluster', '', statusOnly],
      ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', 'cluster'],
    ],
  },
  {
    group: 'certificates.k8s.io',
    versions: ['v1'],
    rows: [['CertificateSigningRequest', 'certificatesigningrequests', 'cluster', 'csr', 'status approval']],
  },
  { group: 'coordination.k8s.io', versions: ['v1'], rows: [['Lease', 'leases', 'ns']] },
  { group: 'discovery.k8s.io', versions: ['v1'], rows: [['EndpointSlice', 'endpointslices', 'ns']] },
  { group: 'scheduling.k8s.io', versions: ['v1'], rows: [['PriorityClass', 'priorityclasses', 'cluster', 'pc']] },
  { group: 'node.k8s.io', versions: ['v1'], rows: [['RuntimeClass', 'runtimeclasses', 'cluster']] },
]

export const builtInResources: readonly Resource[] = groups.flatMap(({ group, versions, rows }) =>
  rows.map((row) => fromRow(group, versions, row)),
)

function fromRow(group: string, versions: readonly string[], [kind, plural, scope, short = '', marks = '']: Row) {
  const words = marks.split(' ').filter(Boolean)
  return {
    group,
    versions,
    kind,
    plural,
    namespaced: scope === 'ns',
    shortNames: short.split(' ').filter(Boolean),
    categories: words.filter((word) => word === 'all'),
    hasStatus: words.includes('status'),
    subresources: words.filter((word) => word !== 'all'),
  }
}

/** `deployments.apps`, or `pods` for the core group: the name of a resource in errors and indexes. */
export function resourceKey({ plural, group }: Pick<Resource, 'plural' | 'group'>): string {
  return group === '' ? plural : `${plural}.${group}`
}

export function apiVersionOf(resource: Resource): string {
  const version = resource.versions[0] ?? 'v1'
  return resource.group === '' ? version : `${resource.group}/${version}`
}
