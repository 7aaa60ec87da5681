import 'reflect-metadata'
import { createPublicKey, webcrypto, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { expect, test } from 'vitest'
import { createSelfSignedCa, issueCertificate, type KeyPair } from './certificate.js'
import { readPrivateKey } from './private-key.js'

const now = new Date('2026-11-15T12:00:00Z')
const { digitalSignature, keyEncipherment, keyCertSign } = x509.KeyUsageFlags

test.each([
  { when: 'of ten years', lifetimeHours: 87_600, end: '2036-11-12T12:00:00Z' },
  { when: 'that ends after 2049', lifetimeHours: 262_800, end: '2056-11-07T12:00:00Z' },
])('a CA $when is byte for byte what an X.509 library writes', async ({ lifetimeHours, end }) => {
  const ca = await createSelfSignedCa({ keyKind: 'ed25519', organizations: ['talos'], lifetimeHours, now })
  const keyId = new x509.X509Certificate(ca.crt).getExtension(x509.SubjectKeyIdentifierExtension)?.keyId ?? ''
  const name = new x509.Name([{ O: ['talos'] }])
  const expected = await written(ca, {
    subject: name,
    issuer: name,
    notAfter: new Date(end),
    signedBy: ca,
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature | keyCertSign, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.SubjectKeyIdentifierExtension(keyId),
    ],
  })
  expect(keyId).toMatch(/^[0-9a-f]{40}$/)
  expect(new X509Certificate(ca.crt).raw.toString('hex')).toBe(expected)
})

test.each([
  { subject: { organizations: ['os:operator', 'os:admin'] }, name: [{ O: ['os:admin', 'os:operator'] }] },
  { subject: { organizations: ['größe'], commonName: 'a@b' }, name: [{ O: ['größe'] }, { CN: ['a@b'] }] },
  { subject: { organizations: [], commonName: 'x'.repeat(300) }, name: [{ CN: ['x'.repeat(300)] }] },
])('a leaf is byte for byte what an X.509 library writes: $name', async ({ subject, name }) => {
  const ca = await createSelfSignedCa({ keyKind: 'ed25519', organizations: ['talos'], lifetimeHours: 10, now })
  const leaf = await issueCertificate({
    ca,
    subject,
    keyUsages: ['digital-signature', 'key-encipherment'],
    extendedKeyUsages: ['client'],
    lifetimeHours: 2,
    now,
  })
  const issuer = new x509.X509Certificate(ca.crt)
  const expected = await written(leaf, {
    subject: new x509.Name(name),
    issuer: issuer.subjectName,
    notAfter: new Date('2026-11-15T14:00:00Z'),
    signedBy: ca,
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      new x509.AuthorityKeyIdentifierExtension(
        issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId ?? 'missing',
      ),
    ],
  })
  expect(new X509Certificate(leaf.crt).raw.toString('hex')).toBe(expected)
})

interface Content {
  readonly subject: x509.Name
  readonly issuer: x509.Name
  readonly notAfter: Date
  readonly extensions: x509.Extension[]
  readonly signedBy: KeyPair
}

/** What the library writes for the same key and serial number, as hex. Ed25519 signs the same bytes the same way. */
async function written({ crt, key }: KeyPair, { signedBy, ...content }: Content): Promise<string> {
  const der = readPrivateKey(signedBy.key).export({ type: 'pkcs8', format: 'der' })
  const certificate = await x509.X509CertificateGenerator.create(
    {
      ...content,
      serialNumber: new X509Certificate(crt).serialNumber,
      notBefore: new Date('2026-11-15T11:00:00Z'),
      publicKey: createPublicKey(readPrivateKey(key)).export({ type: 'spki', format: 'der' }),
      signingKey: await webcrypto.subtle.importKey('pkcs8', der, { name: 'Ed25519' }, false, ['sign']),
    },
    webcrypto,
  )
  return Buffer.from(certificate.rawData).toString('hex')
}
