import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCa } from './ca.js'
import { certificateExpiry, createSelfSignedCa, issueCertificate } from './certificate.js'
import { encodePem } from './pem.js'
import { generatePrivateKey, readPrivateKey } from './private-key.js'

const now = new Date('2026-11-15T12:00:00Z')
const clientOptions = { keyUsages: ['digital-signature'], extendedKeyUsages: ['client'], now } as const

test.each([
  { kind: 'os', subject: 'O=talos', label: 'ED25519 PRIVATE KEY', type: 'ed25519' },
  { kind: 'etcd', subject: 'O=etcd', label: 'EC PRIVATE KEY', type: 'ec' },
  { kind: 'k8s', subject: 'O=kubernetes', label: 'EC PRIVATE KEY', type: 'ec' },
  { kind: 'k8saggregator', subject: undefined, label: 'EC PRIVATE KEY', type: 'ec' },
] as const)('the $kind CA is what Talos makes: $subject with an $label', async ({ kind, subject, label, type }) => {
  const ca = await createCa(kind, { now })
  const certificate = new X509Certificate(ca.crt)
  expect(certificate.subject).toBe(subject)
  expect(certificate.issuer).toBe(subject)
  expect(certificate.ca).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(readPrivateKey(ca.key))).toBe(true)
  expect(ca.key).toMatch(new RegExp(`^-----BEGIN ${label}-----\n[^]*\n-----END ${label}-----\n$`))
  expect(readPrivateKey(ca.key).asymmetricKeyType).toBe(type)
  expect(certificateExpiry(ca.crt).getTime() - now.getTime()).toBe(3650 * 24 * 3600 * 1000)
})

test('a certificate is already valid for a node whose clock is some minutes behind', async () => {
  const ca = await createCa('os', { now })
  expect(new Date(new X509Certificate(ca.crt).validFrom).getTime()).toBe(now.getTime() - 3_600_000)
})

test.each(['ed25519', 'p256', 'rsa4096'] as const)(
  'a leaf of an %s CA verifies against it',
  async (keyKind) => {
    const ca = await createSelfSignedCa({ keyKind, organizations: ['x'], lifetimeHours: 10, now })
    const subject = { organizations: ['os:operator', 'os:admin'] }
    const leaf = await issueCertificate({ ca, subject, ...clientOptions, lifetimeHours: 2 })
    const certificate = new X509Certificate(leaf.crt)
    expect(certificate.verify(new X509Certificate(ca.crt).publicKey)).toBe(true)
    expect(certificate.checkIssued(new X509Certificate(ca.crt))).toBe(true)
    expect(certificate.checkPrivateKey(readPrivateKey(leaf.key))).toBe(true)
    expect(certificate.subject).toBe('O=os:admin + O=os:operator')
    expect(certificate.ca).toBe(false)
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  },
  60_000,
)

test('serial numbers are positive and differ', async () => {
  const cas = await Promise.all(Array.from({ length: 20 }, () => createCa('etcd', { now })))
  const serials = cas.map((ca) => new X509Certificate(ca.crt).serialNumber)
  expect(new Set(serials).size).toBe(20)
  for (const serial of serials) expect(serial).toMatch(/^[0-7][0-9A-F]{31}$/)
})

test.each([
  { label: 'PRIVATE KEY', type: 'pkcs8' },
  { label: 'ED25519 PRIVATE KEY', type: 'pkcs8' },
] as const)('an Ed25519 key is read under the label $label', async ({ label, type }) => {
  const key = await generatePrivateKey('ed25519')
  const text = encodePem(label, key.export({ type, format: 'der' }))
  expect(readPrivateKey(text).equals(key)).toBe(true)
})

test.each([
  ['cut off', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE'],
  ['broken inside', '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n'],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nMHcCAQEE\n-----END CERTIFICATE-----\n'],
])('a private key that is %s is refused without being repeated', (_, text) => {
  expect(() => readPrivateKey(text)).toThrow(/^(?!.*MHcCAQEE)/)
})
