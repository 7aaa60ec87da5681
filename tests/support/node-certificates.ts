import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto as never)

/** PEM texts; keys carry the label that Talos gives them. */
export interface PemPair {
  readonly crt: string
  readonly key: string
}

export interface TestCa extends PemPair {
  /** A server certificate for loopback. */
  issueServer(): Promise<PemPair>
  /** A client certificate whose organisations are Talos roles. */
  issueClient(roles: readonly string[], options?: { expired?: boolean }): Promise<PemPair>
}

const day = 86_400_000
const algorithm = { name: 'Ed25519' }

/** An Ed25519 authority like the one of a Talos cluster, made by another library than the one under test. */
export async function createTestCa(): Promise<TestCa> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'O=talos',
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true)],
  })
  const issue = (subject: string, extensions: x509.Extension[], notAfter = new Date(Date.now() + day)) =>
    issueLeaf(certificate, keys.privateKey, subject, extensions, notAfter)
  return {
    crt: certificate.toString('pem'),
    key: await pemOf(keys.privateKey),
    issueServer: () =>
      issue('O=node', [
        new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
        new x509.SubjectAlternativeNameExtension([
          { type: 'ip', value: '127.0.0.1' },
          { type: 'dns', value: 'localhost' },
        ]),
      ]),
    issueClient: (roles, { expired = false } = {}) =>
      issue(
        roles.map((role) => `O=${role}`).join(','),
        [new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2'])],
        expired ? new Date(Date.now() - 60_000) : undefined,
      ),
  }
}

async function issueLeaf(
  issuer: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
  subject: string,
  extensions: x509.Extension[],
  notAfter: Date,
): Promise<PemPair> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await x509.X509CertificateGenerator.create({
    subject,
    issuer: issuer.subject,
    notBefore: new Date(Date.now() - day),
    notAfter,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions,
  })
  return { crt: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN ED25519 PRIVATE KEY-----\n${der}\n-----END ED25519 PRIVATE KEY-----\n`
}
