import 'reflect-metadata'
import { createHash, webcrypto, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** The lab's cluster CA and the certificate of all hosts. */
export interface LabCertificate {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const year = 365 * 24 * 3600 * 1000

/** One CA and one certificate for all hosts of a lab, by name and by address. */
export async function makeCertificate(
  hosts: readonly { name: string; addresses: readonly string[] }[],
): Promise<LabCertificate> {
  // The library uses the browser's Crypto type, which Node.js' own one is at run time.
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0])
  const [caKeys, keys] = await Promise.all([generateKeys(), generateKeys()])
  const notBefore = new Date(Date.now() - 24 * 3600 * 1000)
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Proxmox Virtual Environment, OU=lab, O=PVE Cluster Manager CA',
    notBefore,
    notAfter: new Date(notBefore.getTime() + 10 * year),
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const names = hosts.flatMap(({ name, addresses }) => [
    { type: 'dns' as const, value: name },
    ...addresses.map((value) => ({ type: 'ip' as const, value })),
  ])
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: '02',
    subject: `CN=${hosts[0]?.name ?? 'pve'}, O=Proxmox Virtual Environment, OU=PVE Cluster Node`,
    issuer: ca.subject,
    notBefore,
    notAfter: new Date(notBefore.getTime() + 2 * year),
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        ...names,
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
      new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
    ],
  })
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    ca: ca.toString('pem'),
    certificate: leaf.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
  }
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
}

/** SHA-256 of the certificate, in upper-case pairs joined by colons. */
export function fingerprintOf(pem: string): string {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  return (createHash('sha256').update(der).digest('hex').toUpperCase().match(/../g) ?? []).join(':')
}

/** Whether the certificate names all of them. */
export function coversAddresses({ certificate }: LabCertificate, addresses: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate)
  return addresses.every((address) => parsed.checkIP(address) !== undefined)
}
