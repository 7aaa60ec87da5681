import { createPublicKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto'
import type { Extension, Name } from '@peculiar/x509'
import { encodePem } from './pem.js'

export interface Subject {
  /** Roles and groups. */
  readonly organizations: readonly string[]
  readonly commonName?: string
}

export type KeyUsage = 'digital-signature' | 'key-encipherment' | 'certificate-signing'
export type ExtendedKeyUsage = 'client' | 'server'

interface CertificateText {
  readonly subject: Subject
  /** The issuer's certificate as DER; missing if self-signed. */
  readonly issuer?: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  readonly key: KeyObject
  readonly signedBy: KeyObject
  readonly keyUsages: readonly KeyUsage[]
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[]
  readonly isCa: boolean
  /** Hex. */
  readonly subjectKeyId?: string
}

export interface CertificateWriter {
  /** The signed certificate as PEM. */
  write(text: CertificateText): Promise<string>
}

type X509 = typeof import('@peculiar/x509')

/** Loads the X.509 library on demand: it takes about 180 ms. */
export async function loadCertificateWriter(): Promise<CertificateWriter> {
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  return { write: (text) => write(x509, text) }
}

async function write(x509: X509, text: CertificateText): Promise<string> {
  const issuer = text.issuer === undefined ? undefined : new x509.X509Certificate(text.issuer)
  const issuerKeyId = issuer?.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: randomSerial(),
      subject: nameOf(x509, text.subject),
      issuer: issuer?.subjectName ?? nameOf(x509, text.subject),
      notBefore: text.notBefore,
      notAfter: text.notAfter,
      extensions: extensionsOf(x509, text, issuerKeyId),
      publicKey: createPublicKey(text.key).export({ type: 'spki', format: 'der' }),
      signingKey: await signingKey(text.signedBy),
    },
    webcrypto,
  )
  return encodePem('CERTIFICATE', new Uint8Array(certificate.rawData))
}

/** In the same order as Go. */
function extensionsOf(x509: X509, text: CertificateText, issuerKeyId: string | undefined): Extension[] {
  const flags = text.keyUsages.reduce((sum, usage) => sum | x509.KeyUsageFlags[keyUsageNames[usage]], 0)
  const extensions: Extension[] = [
    new x509.KeyUsagesExtension(flags, true),
    new x509.ExtendedKeyUsageExtension(text.extendedKeyUsages.map((usage) => extendedKeyUsageIds[usage])),
  ]
  if (text.isCa) extensions.push(new x509.BasicConstraintsExtension(true, undefined, true))
  if (text.subjectKeyId !== undefined) extensions.push(new x509.SubjectKeyIdentifierExtension(text.subjectKeyId))
  if (issuerKeyId !== undefined) extensions.push(new x509.AuthorityKeyIdentifierExtension(issuerKeyId))
  return extensions
}

const keyUsageNames = {
  'digital-signature': 'digitalSignature',
  'key-encipherment': 'keyEncipherment',
  'certificate-signing': 'keyCertSign',
} as const

const extendedKeyUsageIds = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const

/** Go puts all organizations into one RDN; DER requires the members of a set to be sorted, shorter ones first. */
function nameOf(x509: X509, { organizations, commonName }: Subject): Name {
  const sorted = [...organizations].sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
  return new x509.Name([
    ...(sorted.length === 0 ? [] : [{ O: sorted }]),
    ...(commonName === undefined ? [] : [{ CN: [commonName] }]),
  ])
}

/** Positive, with 127 random bits. */
function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01
  return bytes.toString('hex')
}

function signingKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', der, algorithmOf(key), false, ['sign'])
}

function algorithmOf(key: KeyObject): webcrypto.AlgorithmIdentifier | webcrypto.RsaHashedImportParams {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { name: 'Ed25519' }
    case 'rsa':
      return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-512' }
    default:
      return {
        name: 'ECDSA',
        namedCurve: curveNames[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? 'P-256',
      } as webcrypto.EcKeyImportParams
  }
}

const curveNames: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
