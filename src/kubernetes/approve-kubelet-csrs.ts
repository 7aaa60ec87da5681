import { parseAddress } from '../cluster/address.js'
import type { KubernetesApi, KubernetesObject } from './port.js'

/** A machine that ichor created, and the identity that its kubelet may request a certificate for. */
export interface ExpectedNode {
  readonly name: string
  readonly addresses: readonly string[]
}

export interface ApprovalResult {
  readonly approved: readonly string[]
  /** Requests that were not approved, with the reason. */
  readonly left: readonly { readonly name: string; readonly reason: string }[]
}

const signer = 'kubernetes.io/kubelet-serving'
const allowedUsages = new Set(['digital signature', 'key encipherment', 'server auth'])

/** Approves serving certificates of kubelets whose name and addresses all belong to a machine that ichor created. */
export async function approveKubeletCsrs(
  api: KubernetesApi,
  expected: readonly ExpectedNode[],
  signal: AbortSignal,
): Promise<ApprovalResult> {
  const approved: string[] = []
  const left: { name: string; reason: string }[] = []
  for (const csr of await api.pendingCsrs(signal)) {
    const name = csr.metadata.name ?? ''
    const objection = await findObjection(csr, expected)
    if (objection === undefined) {
      await api.approveCsr(name, signal)
      approved.push(name)
    } else left.push({ name, reason: objection })
  }
  return { approved, left }
}

interface CsrSpec {
  readonly signerName?: string
  readonly username?: string
  readonly groups?: readonly string[]
  readonly usages?: readonly string[]
  readonly request?: string
}

/** Why a request is not approved; `undefined` if there is no objection. @internal */
export async function findObjection(
  csr: KubernetesObject,
  expected: readonly ExpectedNode[],
): Promise<string | undefined> {
  const spec = (csr.spec ?? {}) as CsrSpec
  if (spec.signerName !== signer) return `it is for ${spec.signerName}, not for ${signer}`
  const node = expected.find(({ name }) => spec.username === `system:node:${name}`)
  if (node === undefined) return `${spec.username} is no machine of this cluster`
  if (!spec.groups?.includes('system:nodes')) return `${spec.username} is not in system:nodes`
  const odd = spec.usages?.find((usage) => !allowedUsages.has(usage))
  if (odd !== undefined) return `it requests the usage ${odd}`
  return objectionToRequest(spec.request ?? '', node)
}

async function objectionToRequest(request: string, { name, addresses }: ExpectedNode): Promise<string | undefined> {
  const asked = await readRequest(request)
  if (asked === undefined) return 'its request cannot be read'
  if (asked.commonName !== `system:node:${name}` || !asked.organizations.includes('system:nodes'))
    return `its subject is ${asked.commonName}, not system:node:${name}`
  const unexpected =
    asked.ips.find((ip) => !addresses.some((address) => isSameAddress(ip, address))) ??
    asked.dns.find((dns) => dns !== name)
  if (unexpected !== undefined) return `it names ${unexpected}, which does not belong to ${name}`
  return asked.ips.length + asked.dns.length === 0 ? 'it names no address' : undefined
}

/** IPv6 has many spellings. */
function isSameAddress(one: string, other: string): boolean {
  const [first, second] = [parseAddress(one), parseAddress(other)]
  return first !== undefined && first.family === second?.family && first.value === second.value
}

interface AskedFor {
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly dns: readonly string[]
  readonly ips: readonly string[]
}

/** The X.509 library takes 180 ms to load: only clusters with kubelet certificates load it. */
async function readRequest(base64: string): Promise<AskedFor | undefined> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  try {
    const request = new x509.Pkcs10CertificateRequest(Buffer.from(base64, 'base64').toString())
    if (!(await request.verify())) return undefined
    const names = request.extensions.flatMap((one) =>
      one instanceof x509.SubjectAlternativeNameExtension ? one.names.items : [],
    )
    return {
      commonName: request.subjectName.getField('CN')[0] ?? '',
      organizations: request.subjectName.getField('O'),
      dns: names.filter(({ type }) => type === 'dns').map(({ value }) => value),
      ips: names.filter(({ type }) => type === 'ip').map(({ value }) => value),
    }
  } catch {
    return undefined
  }
}
