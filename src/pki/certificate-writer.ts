import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import {
  bitString,
  implicit,
  integer,
  isTrue,
  nothing,
  numbered,
  octetString,
  oid,
  sequence,
  setOf,
  text,
  time,
} from './der.js'
import { readIssuer } from './issuer.js'
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
  readonly issuer?: Buffer
  readonly notBefore: Date
  readonly notAfter: Date
  readonly key: KeyObject
  readonly signedBy: KeyObject
  readonly keyUsages: readonly KeyUsage[]
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[]
  readonly isCa: boolean
  readonly subjectKeyId?: Buffer
}

/** The signed certificate as PEM. Written here: an X.509 library takes longer to load than `render` takes for everything else. */
export function writeCertificate(content: CertificateText): string {
  const signature = signatureOf(content.signedBy)
  const issuer = content.issuer === undefined ? undefined : readIssuer(content.issuer)
  const signed = sequence(
    numbered(0, integer(Buffer.of(version3))),
    integer(randomSerial()),
    signature.algorithm,
    issuer?.name ?? nameOf(content.subject),
    sequence(time(content.notBefore), time(content.notAfter)),
    nameOf(content.subject),
    createPublicKey(content.key).export({ type: 'spki', format: 'der' }),
    numbered(3, sequence(...extensionsOf(content, issuer?.keyId))),
  )
  const bytes = sign(signature.digest, signed, content.signedBy)
  return encodePem('CERTIFICATE', sequence(signed, signature.algorithm, bitString(bytes)))
}

/** Counted from 0. */
const version3 = 2

/** In the same order as Go. */
function extensionsOf(content: CertificateText, issuerKeyId: Buffer | undefined): Buffer[] {
  const { keyUsages, extendedKeyUsages, isCa, subjectKeyId } = content
  const extensions = [
    criticalExtension(oids.keyUsage, keyUsageBits(keyUsages)),
    extension(oids.extendedKeyUsage, sequence(...extendedKeyUsages.map((usage) => oid(oids[usage])))),
  ]
  if (isCa) extensions.push(criticalExtension(oids.basicConstraints, sequence(isTrue())))
  if (subjectKeyId !== undefined) extensions.push(extension(oids.subjectKeyId, octetString(subjectKeyId)))
  if (issuerKeyId !== undefined) extensions.push(extension(oids.authorityKeyId, sequence(implicit(0, issuerKeyId))))
  return extensions
}

const oids = {
  organization: '2.5.4.10',
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), octetString(value))
}

function criticalExtension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), isTrue(), octetString(value))
}

/** Bits are counted from the left, and those to the right of the last one are unused. */
function keyUsageBits(usages: readonly KeyUsage[]): Buffer {
  const bits = usages.map((usage): number => keyUsagePlaces[usage])
  const byte = bits.reduce((sum, bit) => sum | (0x80 >> bit), 0)
  return bitString(Buffer.of(byte), 7 - Math.max(...bits))
}

const keyUsagePlaces = { 'digital-signature': 0, 'key-encipherment': 2, 'certificate-signing': 5 } as const

/** Go puts all organizations into one RDN. */
function nameOf({ organizations, commonName }: Subject): Buffer {
  const attributes = organizations.map((organization) => sequence(oid(oids.organization), text(organization)))
  return sequence(
    ...(attributes.length === 0 ? [] : [setOf(...attributes)]),
    ...(commonName === undefined ? [] : [setOf(sequence(oid(oids.commonName), text(commonName)))]),
  )
}

/** Positive, with 127 random bits. */
function randomSerial(): Buffer {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01
  return bytes
}

interface Signature {
  readonly algorithm: Buffer
  /** Ed25519 has its own. */
  readonly digest: string | null
}

function signatureOf(key: KeyObject): Signature {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return { algorithm: sequence(oid('1.3.101.112')), digest: null }
    case 'rsa':
      return { algorithm: sequence(oid('1.2.840.113549.1.1.13'), nothing()), digest: 'sha512' }
    default:
      return { algorithm: sequence(oid('1.2.840.10045.4.3.2')), digest: 'sha256' }
  }
}
