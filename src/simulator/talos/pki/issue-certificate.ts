import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP, SocketAddress } from 'node:net'
import {
  bits,
  boolean,
  childrenOf,
  contentOf,
  der,
  explicit,
  implicit,
  integer,
  octets,
  oid,
  sequence,
  set,
  time,
  utf8,
} from './der.js'

export interface Authority {
  readonly crt: string
  readonly key: string
}

export interface Issued {
  /** PEM. */
  readonly crt: string
  /** PEM, PKCS#8. */
  readonly key: string
}

type Usage = 'server' | 'client'

export interface Leaf {
  readonly commonName?: string
  readonly organizations?: readonly string[]
  readonly usage: Usage | readonly Usage[]
  readonly sans?: readonly string[]
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A certificate signed by the CA, with a key of the same kind. */
export function issueCertificate(authority: Authority, leaf: Leaf): Issued {
  const signer = loadPrivateKey(authority.key)
  const pair = keyPairLike(signer)
  const issuer = new X509Certificate(authority.crt)
  const extensions = [...leafExtensions(leaf), ...authorityKey(issuer)]
  const crt = signedBy(signer, subjectOf(issuer), pair.publicKey, leaf, extensions)
  return { crt, key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** A throwaway CA, as a node in maintenance creates at every boot. */
export function makeAuthority(notBefore: Date, notAfter: Date): Authority {
  const pair = generateKeyPairSync('ed25519')
  const extensions = [
    extension('2.5.29.15', true, bits(Buffer.from([0x84]), 2)),
    extension('2.5.29.19', true, sequence(boolean(true))),
    extension(subjectKeyIdentifier, false, octets(randomBytes(20))),
  ]
  const leaf: Leaf = { usage: 'server', notBefore, notAfter }
  const crt = signedBy(pair.privateKey, nameOf(leaf), pair.publicKey, leaf, extensions)
  return { crt, key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

/** Loads what Talos accepts: OpenSSL does not know the label `ED25519 PRIVATE KEY`, whose content is plain PKCS#8. */
export function loadPrivateKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll('ED25519 PRIVATE KEY', 'PRIVATE KEY'))
}

function signedBy(signer: KeyObject, issuer: Uint8Array, key: KeyObject, leaf: Leaf, extensions: Buffer[]): string {
  const { algorithm, digest } = signatureOf(signer)
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    issuer,
    sequence(time(leaf.notBefore), time(leaf.notAfter)),
    nameOf(leaf),
    key.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...extensions)),
  )
  const signed = sequence(body, algorithm, bits(sign(digest, body, signer)))
  return `-----BEGIN CERTIFICATE-----\n${signed.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
}

function keyPairLike(signer: KeyObject): { publicKey: KeyObject; privateKey: KeyObject } {
  if (signer.asymmetricKeyType === 'ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function signatureOf(signer: KeyObject): { algorithm: Buffer; digest: string | null } {
  if (signer.asymmetricKeyType === 'ed25519') return { algorithm: sequence(oid('1.3.101.112')), digest: null }
  if (signer.asymmetricKeyType === 'ec') return { algorithm: sequence(oid('1.2.840.10045.4.3.2')), digest: 'sha256' }
  return { algorithm: sequence(oid('1.2.840.113549.1.1.13'), der(0x05)), digest: 'sha512' }
}

function nameOf({ commonName, organizations = [] }: Leaf): Buffer {
  const attribute = (id: string, text: string) => sequence(oid(id), utf8(text))
  const parts = [
    ...(organizations.length === 0 ? [] : [set(...organizations.map((value) => attribute('2.5.4.10', value)))]),
    ...(commonName === undefined ? [] : [set(attribute('2.5.4.3', commonName))]),
  ]
  return sequence(...parts)
}

/** The issuer must equal the CA's subject byte for byte. */
function subjectOf(authority: X509Certificate): Buffer {
  const [body] = childrenOf(authority.raw)
  const subject = body === undefined ? undefined : childrenOf(body)[5]
  if (subject === undefined) throw new Error('The authority of this lab is not an X.509 v3 certificate.')
  return subject
}

function leafExtensions({ usage, sans = [] }: Leaf): Buffer[] {
  const usages = typeof usage === 'string' ? [usage] : usage
  const purposes = usages.map((one) => oid(one === 'server' ? '1.3.6.1.5.5.7.3.1' : '1.3.6.1.5.5.7.3.2'))
  return [
    extension('2.5.29.15', true, bits(Buffer.from([0x80]), 7)),
    extension('2.5.29.37', false, sequence(...purposes)),
    ...(sans.length === 0 ? [] : [extension('2.5.29.17', false, sequence(...sans.map(alternativeName)))]),
  ]
}

const subjectKeyIdentifier = '2.5.29.14'

/**
 * Identifies the CA's key. The CAs of one cluster all have the same subject, and OpenSSL uses the first with a matching
 * name unless the key is identified.
 */
function authorityKey(authority: X509Certificate): Buffer[] {
  const id = oid(subjectKeyIdentifier)
  const [body = Buffer.alloc(0)] = childrenOf(authority.raw)
  const [list] = childrenOf(body).at(-1)?.[0] === 0xa3 ? childrenOf(childrenOf(body).at(-1) ?? body) : []
  const found = list === undefined ? undefined : childrenOf(list).find((entry) => childrenOf(entry)[0]?.equals(id))
  const wrapped = found === undefined ? undefined : childrenOf(found).at(-1)
  if (wrapped === undefined) return []
  const key = contentOf(contentOf(wrapped))
  return [extension('2.5.29.35', false, sequence(implicit(0, key)))]
}

function extension(id: string, critical: boolean, content: Buffer): Buffer {
  return critical ? sequence(oid(id), boolean(true), octets(content)) : sequence(oid(id), octets(content))
}

function alternativeName(name: string): Buffer {
  const family = isIP(name)
  if (family === 0) return implicit(2, Buffer.from(name))
  return implicit(7, family === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name))
}

function ipv6Bytes(address: string): Buffer {
  const compact = new SocketAddress({ address, family: 'ipv6' }).address
  const [head = '', tail] = compact.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const middle = Array<string>(8 - left.length - right.length).fill('0')
  return Buffer.from([...left, ...middle, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
