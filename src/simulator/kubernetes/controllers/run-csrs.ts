import { makeServingRequest, signServingRequest } from '../api/certificates.js'
import { type ClusterState, nowStamp } from '../cluster-state.js'
import { mapAt, type StoredObject, textAt } from '../object.js'
import { csrResource, servingRequestsOf, servingSigner } from '../serving-certificates.js'
import { type Controller, conditionOf, isReady, podsOf, withCondition } from './controller.js'

/** Kubelets request serving certificates; once approved, the controller manager signs them. */
export function createCsrController(): Controller {
  const busy = new Set<string>()
  return ({ state }) => {
    for (const { options } of state.kubelets.values()) {
      const { nodeName, addresses, rotateServerCertificates } = options
      if (!rotateServerCertificates || state.objects.find('nodes', undefined, nodeName) === undefined) continue
      if (!busy.has(nodeName) && servingRequestsOf(state, nodeName).length === 0)
        once(busy, nodeName, async () => fileRequest(state, nodeName, await makeServingRequest(nodeName, addresses)))
    }
    const isApproverThere = hasApprover(state)
    for (const csr of state.objects.list(csrResource)) {
      if (isApproverThere && isPending(csr)) approve(state, csr)
      else if (isUnsigned(csr) && !busy.has(csr.metadata.name)) once(busy, csr.metadata.name, () => sign(state, csr))
    }
  }
}

function once(busy: Set<string>, key: string, work: () => Promise<void>) {
  busy.add(key)
  void work().finally(() => busy.delete(key))
}

/** An unreadable request is marked as failed, as the real signer does. */
async function sign(state: ClusterState, csr: StoredObject) {
  if (state.signer === undefined || textAt(csr, 'spec', 'signerName') !== servingSigner) return
  const pem = Buffer.from(textAt(csr, 'spec', 'request') ?? '', 'base64').toString()
  const outcome = await signServingRequest(state.signer, pem, state.clock.now()).then(
    (crt) => ({ certificate: Buffer.from(crt).toString('base64') }),
    (error: unknown) => ({ conditions: withCondition(csr, failure(error), nowStamp(state)) }),
  )
  const live = state.objects.find(csrResource, undefined, csr.metadata.name)
  if (live !== undefined) state.objects.put(csrResource, { ...live, status: { ...mapAt(live, 'status'), ...outcome } })
}

function failure(error: unknown) {
  return { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message: String(error) }
}

function fileRequest(state: ClusterState, node: string, pem: string) {
  const uid = state.nextUid()
  state.objects.put(csrResource, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: `csr-${uid.slice(-5)}`, generateName: 'csr-', uid, creationTimestamp: nowStamp(state) },
    spec: {
      groups: ['system:nodes', 'system:authenticated'],
      username: `system:node:${node}`,
      signerName: servingSigner,
      request: Buffer.from(pem).toString('base64'),
      usages: ['digital signature', 'server auth'],
    },
    status: {},
  })
}

function isPending(csr: StoredObject): boolean {
  return conditionOf(csr, 'Approved') === undefined && conditionOf(csr, 'Denied') === undefined
}

function isUnsigned(csr: StoredObject): boolean {
  const isOpen = textAt(csr, 'status', 'certificate') === undefined && conditionOf(csr, 'Failed') === undefined
  return isOpen && conditionOf(csr, 'Approved') === 'True'
}

/** The in-cluster approver approves requests of a node for itself. */
function hasApprover(state: ClusterState): boolean {
  return state.objects
    .list('deployments.apps')
    .filter(
      (one) =>
        one.metadata.name.includes('kubelet-serving-cert-approver') ||
        one.metadata.name.includes('kubelet-csr-approver'),
    )
    .some((one) =>
      state.objects
        .list('replicasets.apps')
        .some((set) => set.metadata.ownerReferences?.[0]?.uid === one.metadata.uid && podsOf(state, set).some(isReady)),
    )
}

function approve(state: ClusterState, csr: StoredObject) {
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: 'kubelet-serving-cert-approver',
  }
  const conditions = withCondition(csr, condition, nowStamp(state))
  state.objects.put(csrResource, { ...csr, status: { ...mapAt(csr, 'status'), conditions } })
}
