import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject, textAt } from '../object.js'

const neededTolerations = [
  'node.kubernetes.io/not-ready',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node-role.kubernetes.io/control-plane',
]

/** What a helm job would lack on a real cluster without network and cloud controller. */
export function jobProblems(state: ClusterState, pod: StoredObject): string[] {
  const spec = mapAt(pod, 'spec')
  const container = mapsAt(spec, 'containers')[0]
  const env = (name: string) =>
    textAt(
      mapsAt(container, 'env').find((one) => one.name === name),
      'value',
    )
  const tolerates = (key: string) =>
    mapsAt(spec, 'tolerations').some((one) => one.operator === 'Exists' && (one.key === undefined || one.key === key))
  const problems: (string | false)[] = [
    pod.metadata.namespace !== 'kube-system' && 'it does not run in kube-system',
    spec.hostNetwork !== true &&
      'dial tcp: network is unreachable: it is not on the host network, and there may be no CNI',
    spec.dnsPolicy !== 'Default' && 'lookup: i/o timeout: its dnsPolicy is not Default, and CoreDNS may not run',
    (env('KUBERNETES_SERVICE_HOST') !== '127.0.0.1' || env('KUBERNETES_SERVICE_PORT') !== '7445') &&
      'dial tcp 10.96.0.1:443: i/o timeout: KUBERNETES_SERVICE_HOST and _PORT are not 127.0.0.1 and 7445 (KubePrism)',
    !/@sha256:[0-9a-f]{64}$/.test(textAt(container, 'image') ?? '') && 'its image is not given by digest',
    !mapsAt(spec, 'volumes').some((volume) => textAt(volume, 'secret', 'secretName') !== undefined) &&
      'its values are not in a Secret',
    !isClusterAdmin(state, textAt(spec, 'serviceAccountName') ?? 'default') &&
      `secrets is forbidden: User "system:serviceaccount:kube-system:${spec.serviceAccountName}" cannot list resource "secrets"`,
    ...neededTolerations.map((key) => !tolerates(key) && `it does not tolerate ${key}`),
  ]
  return problems.filter((problem) => problem !== false)
}

function isClusterAdmin(state: ClusterState, account: string): boolean {
  return state.objects
    .list('clusterrolebindings.rbac.authorization.k8s.io')
    .filter((binding) => textAt(binding, 'roleRef', 'name') === 'cluster-admin')
    .some((binding) =>
      mapsAt(binding, 'subjects').some(
        (subject) =>
          subject.kind === 'ServiceAccount' && subject.name === account && subject.namespace === 'kube-system',
      ),
    )
}
