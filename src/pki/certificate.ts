import { randomBytes, X509Certificate } from 'node:crypto'
import { type ExtendedKeyUsage, type KeyUsage, type Subject, writeCertificate } from './certificate-writer.js'
import { generatePrivateKey, type KeyKind, kindOf, privateKeyPem, readPrivateKey } from './private-key.js'

/** A certificate and its private key, as PEM texts. */
export interface KeyPair {
  readonly crt: string
  readonly key: string
}

/** A self-signed CA: no path length, and a random subject key ID like Talos's. */
export async function createSelfSignedCa(options: {
  keyKind: KeyKind
  organizations: readonly string[]
  lifetimeHours: number
  now: Date
}): Promise<KeyPair> {
  const key = await generatePrivateKey(options.keyKind)
  const crt = writeCertificate({
    subject: { organizations: options.organizations },
    ...validity(options),
    key,
    signedBy: key,
    keyUsages: ['digital-signature', 'certificate-signing'],
    extendedKeyUsages: ['server', 'client'],
    isCa: true,
    subjectKeyId: randomBytes(20),
  })
  return { crt, key: privateKeyPem(key) }
}

/** A leaf certificate of this CA, with a new key of the same kind as the CA's. */
export async function issueCertificate(options: {
  ca: KeyPair
  subject: Subject
  keyUsages: readonly KeyUsage[]
  extendedKeyUsages: readonly ExtendedKeyUsage[]
  lifetimeHours: number
  now: Date
}): Promise<KeyPair> {
  const caKey = readPrivateKey(options.ca.key)
  const key = await generatePrivateKey(kindOf(caKey))
  const crt = writeCertificate({
    subject: options.subject,
    issuer: new X509Certificate(options.ca.crt).raw,
    ...validity(options),
    key,
    signedBy: caKey,
    keyUsages: options.keyUsages,
    extendedKeyUsages: options.extendedKeyUsages,
    isCa: false,
  })
  return { crt, key: privateKeyPem(key) }
}

/** The expiry of a certificate; throws if the text is not one. */
export function certificateExpiry(pem: string): Date {
  return new Date(new X509Certificate(pem).validTo)
}

/** A node whose clock is slow would refuse a certificate that starts now. */
const backdatedMs = 60 * 60 * 1000

function validity({ now, lifetimeHours }: { now: Date; lifetimeHours: number }): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - backdatedMs),
    notAfter: new Date(now.getTime() + lifetimeHours * 60 * 60 * 1000),
  }
}
