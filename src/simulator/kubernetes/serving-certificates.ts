import type { ClusterState } from './cluster-state.js'
import { type StoredObject, textAt } from './object.js'

export const csrResource = 'certificatesigningrequests.certificates.k8s.io'
export const servingSigner = 'kubernetes.io/kubelet-serving'

/** The requests of a node's kubelet since the node was registered: a replaced machine requests again. */
export function servingRequestsOf(state: ClusterState, node: string): readonly StoredObject[] {
  const since = state.objects.find('nodes', undefined, node)?.metadata.creationTimestamp ?? ''
  return state.objects
    .list(csrResource)
    .filter(
      (csr) =>
        textAt(csr, 'spec', 'signerName') === servingSigner &&
        textAt(csr, 'spec', 'username') === `system:node:${node}` &&
        (csr.metadata.creationTimestamp ?? '') >= since,
    )
}

/** Whether a kubelet's request for a serving certificate was approved and signed. */
export function hasServingCertificate(state: ClusterState, node: string): boolean {
  return servingRequestsOf(state, node).some((csr) => textAt(csr, 'status', 'certificate') !== undefined)
}
