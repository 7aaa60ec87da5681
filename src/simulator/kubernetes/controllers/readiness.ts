import { hasServingCertificate } from '../api/answer-log.js'
import type { ClusterState } from '../cluster-state.js'
import { mapAt, mapsAt, type StoredObject } from '../object.js'

/** Why a running pod is not ready; `undefined` when it is. Only what an operator really stumbles over is modelled. */
export function readinessProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const name = pod.metadata.labels?.['app.kubernetes.io/name'] ?? ''
  return name === 'metrics-server' ? metricsProblem(state, pod) : undefined
}

/** metrics-server trusts only kubelets whose certificate the cluster signed, unless it is told not to care. */
function metricsProblem(state: ClusterState, pod: StoredObject): string | undefined {
  const args = mapsAt(pod, 'spec', 'containers').flatMap((one) => (Array.isArray(one.args) ? one.args : []))
  if (args.includes('--kubelet-insecure-tls')) return undefined
  const requests = state.objects.list('certificatesigningrequests.certificates.k8s.io')
  const unsigned = state.objects
    .list('nodes')
    .filter((node) => mapAt(node, 'status').nodeInfo !== undefined)
    .find((node) => !hasServingCertificate(requests, node.metadata.name))
  return unsigned === undefined
    ? undefined
    : `Failed to scrape node ${unsigned.metadata.name}: x509: certificate signed by unknown authority`
}
