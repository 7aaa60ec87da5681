import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueCertificate, loadPrivateKey, makeAuthority } from './issue-certificate.js'

const notBefore = new Date('2026-01-01T00:00:00Z')
const notAfter = new Date('2055-01-01T00:00:00Z')

test('a server certificate verifies against its authority and carries its addresses', () => {
  const authority = makeAuthority(notBefore, notAfter)
  const { crt, key } = issueCertificate(authority, {
    usage: 'server',
    sans: ['10.0.10.11', 'fd00::1', 'dev-cp-1'],
    notBefore,
    notAfter,
  })
  const certificate = new X509Certificate(crt)
  expect(certificate.verify(new X509Certificate(authority.crt).publicKey)).toBe(true)
  expect(certificate.subjectAltName).toBe('IP Address:10.0.10.11, IP Address:FD00:0:0:0:0:0:0:1, DNS:dev-cp-1')
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(certificate.checkPrivateKey(loadPrivateKey(key))).toBe(true)
})

test("a client certificate holds its roles, and Talos's own label of the authority's key is understood", () => {
  const authority = makeAuthority(notBefore, notAfter)
  const labelled = { ...authority, key: authority.key.replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY') }
  const { crt } = issueCertificate(labelled, { usage: 'client', organizations: ['os:admin'], notBefore, notAfter })
  expect(new X509Certificate(crt).subject).toBe('O=os:admin')
})

test('a certificate names the key of its authority, as all authorities here have the same subject', () => {
  const [first, second] = [makeAuthority(notBefore, notAfter), makeAuthority(notBefore, notAfter)]
  const leaf = { usage: 'client', organizations: ['os:admin'], notBefore, notAfter } as const
  const certificate = new X509Certificate(issueCertificate(second, leaf).crt)
  expect(certificate.checkIssued(new X509Certificate(second.crt))).toBe(true)
  expect(certificate.checkIssued(new X509Certificate(first.crt))).toBe(false)
})
