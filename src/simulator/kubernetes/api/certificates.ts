import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  webcrypto,
} from 'node:crypto'
import { isIP } from 'node:net'
import type { X509Certificate } from '@peculiar/x509'

/** `@peculiar/x509` takes a fifth of a second to load: only a cluster that really serves loads it. */
async function loadX509() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

export interface Ca {
  /** PEM texts. */
  readonly crt: string
  readonly key: string
}

/** A serving certificate from the cluster's CA, for the names and addresses that the machine config lists. */
export async function issueServingCertificate(ca: Ca, names: readonly string[], nowMs: number): Promise<Ca> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const crt = await sign(ca, publicKey, 'CN=kube-apiserver', names, nowMs)
  return { crt, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** What a kubelet requests a certificate for: its node name and addresses, with its own key. */
export async function makeServingRequest(nodeName: string, addresses: readonly string[]): Promise<string> {
  const x509 = await loadX509()
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: `O=system:nodes, CN=system:node:${nodeName}`,
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [new x509.SubjectAlternativeNameExtension(generalNames([nodeName, ...addresses]))],
  })
  return request.toString('pem')
}

/** What the controller manager's signer does with an approved request. */
export async function signServingRequest(ca: Ca, pem: string, nowMs: number): Promise<string> {
  const x509 = await loadX509()
  const request = new x509.Pkcs10CertificateRequest(pem)
  const extension = request.getExtension(subjectAlternativeName)
  const names = extension instanceof x509.SubjectAlternativeNameExtension ? extension.names.items : []
  const key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' })
  return sign(
    ca,
    key,
    request.subject,
    names.map((one) => one.value),
    nowMs,
  )
}

const subjectAlternativeName = '2.5.29.17'

async function sign(ca: Ca, publicKey: KeyObject, subject: string, names: readonly string[], nowMs: number) {
  const x509 = await loadX509()
  const issuer = new x509.X509Certificate(ca.crt)
  const { key, algorithm } = await importSigningKey(ca.key)
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `00${randomBytes(8).toString('hex')}`,
    subject,
    issuer: issuer.subject,
    notBefore: new Date(Math.min(nowMs, Date.now()) - 10_000),
    notAfter: new Date(Math.max(nowMs, Date.now()) + 365 * 86_400_000),
    publicKey: new x509.PublicKey(publicKey.export({ type: 'spki', format: 'der' })),
    signingKey: key,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.AuthorityKeyIdentifierExtension(await keyIdOf(issuer)),
      new x509.SubjectAlternativeNameExtension(generalNames(names)),
    ],
  })
  return certificate.toString('pem')
}

/** The key identifier of the CA itself: Talos chooses it at random, so it is not the hash of the key. */
async function keyIdOf(issuer: X509Certificate): Promise<string> {
  const x509 = await loadX509()
  const own = issuer.getExtension(x509.SubjectKeyIdentifierExtension)
  return own?.keyId ?? (await x509.SubjectKeyIdentifierExtension.create(issuer.publicKey)).keyId
}

function generalNames(names: readonly string[]) {
  return [...new Set(names)].map((name) => ({
    type: isIP(name) === 0 ? ('dns' as const) : ('ip' as const),
    value: name,
  }))
}

async function importSigningKey(pem: string) {
  const der = createPrivateKey(loadable(pem)).export({ type: 'pkcs8', format: 'der' })
  const type = createPrivateKey(loadable(pem)).asymmetricKeyType
  const algorithm = signingAlgorithms[type ?? ''] ?? signingAlgorithms.ec
  if (algorithm === undefined) throw new Error(`The lab cannot sign with a CA key of type ${type}.`)
  const curve = createPrivateKey(loadable(pem)).asymmetricKeyDetails?.namedCurve
  const imported = type === 'ec' ? { ...algorithm, namedCurve: curve === 'secp384r1' ? 'P-384' : 'P-256' } : algorithm
  const key = await webcrypto.subtle.importKey('pkcs8', der, imported, false, ['sign'])
  return { key, algorithm }
}

const signingAlgorithms: Readonly<Record<string, { name: string; hash: string }>> = {
  ec: { name: 'ECDSA', hash: 'SHA-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ed25519: { name: 'Ed25519', hash: '' },
}

/** OpenSSL does not know Talos's label for Ed25519 keys; the content is PKCS 8. */
function loadable(pem: string) {
  if (!pem.includes('ED25519 PRIVATE KEY')) return { key: pem }
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64')
  return { key: der, format: 'der' as const, type: 'pkcs8' as const }
}
