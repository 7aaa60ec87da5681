import { fieldsOf, listOf } from './answer.js'
import { isConflict } from './kubernetes-error.js'
import type { ObjectCalls } from './object-calls.js'
import { describe } from './object-calls.js'
import type { KubernetesObject } from './port.js'
import type { Transport } from './transport.js'

const csrKind = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest' }

function conditionsOf({ status }: KubernetesObject) {
  return listOf(fieldsOf(status).conditions)
}

/** Requests without a decision. */
export async function pendingCsrs(objects: ObjectCalls, signal: AbortSignal): Promise<KubernetesObject[]> {
  const all = await objects.list(csrKind, undefined, {}, signal)
  return all.filter((csr) => !conditionsOf(csr).some(({ type }) => type === 'Approved' || type === 'Denied'))
}

const attempts = 5

/** Approves once; a request that is deleted or decided is left unchanged. */
export async function approveCsr(
  objects: ObjectCalls,
  transport: Transport,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const csr = await objects.find(csrKind, undefined, name, signal)
    if (csr === undefined || conditionsOf(csr).length > 0) return
    const condition = {
      type: 'Approved',
      status: 'True',
      reason: 'IchorApproved',
      message: 'Node name and addresses are those of a machine of this cluster.',
    }
    const body = { ...csr, status: { ...(csr.status as object | undefined), conditions: [condition] } }
    const path = `/apis/certificates.k8s.io/v1/certificatesigningrequests/${name}/approval`
    try {
      await transport.json(
        { method: 'PUT', path, body, verb: 'approve', object: describe(csrKind, undefined, name) },
        signal,
      )
      return
    } catch (error) {
      if (!isConflict(error) || attempt >= attempts) throw error
    }
  }
}
