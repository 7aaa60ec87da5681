import { issueCertificate, type KeyPair } from '../../pki/certificate.js'
import type { CertificateAndKey, SecretsBundle } from '../../secrets/bundle.js'

/** The role of a Talos client; stored in the certificate as its organization. */
export type TalosRole = 'os:admin' | 'os:operator' | 'os:reader' | 'os:etcd:backup'

export const talosRoles: readonly TalosRole[] = ['os:admin', 'os:operator', 'os:reader', 'os:etcd:backup']

/** A certificate with the CAs that the peer's certificate may come from, all as PEM. */
export interface ClientCertificate extends KeyPair {
  readonly ca: string
}

/** A client certificate for the Talos API. Talos requires client authentication as its only extended key usage. */
export async function clientCertificate(
  bundle: SecretsBundle,
  options: { roles: readonly TalosRole[]; lifetimeHours: number; now: Date },
): Promise<ClientCertificate> {
  const ca = pemPair(bundle.certs.os)
  const issued = await issueCertificate({
    ca,
    subject: { organizations: options.roles },
    keyUsages: ['digital-signature'],
    extendedKeyUsages: ['client'],
    lifetimeHours: options.lifetimeHours,
    now: options.now,
  })
  return { ...issued, ca: trustedCas(bundle, 'os') }
}

/** A client certificate for Kubernetes in the admin group. */
export async function adminCertificate(
  bundle: SecretsBundle,
  options: { lifetimeHours: number; now: Date },
): Promise<ClientCertificate> {
  const ca = pemPair(bundle.certs.k8s)
  const issued = await issueCertificate({
    ca,
    subject: { organizations: ['system:masters'], commonName: 'admin' },
    keyUsages: ['digital-signature', 'key-encipherment'],
    extendedKeyUsages: ['client'],
    lifetimeHours: options.lifetimeHours,
    now: options.now,
  })
  return { ...issued, ca: trustedCas(bundle, 'k8s') }
}

/** During a rotation the peer may present a certificate of either CA. */
export function trustedCas({ certs, accepted }: SecretsBundle, place: 'os' | 'k8s'): string {
  const certificates = [certs[place].crt, ...(accepted?.[place] ?? [])]
  return certificates.map((crt) => Buffer.from(crt, 'base64').toString()).join('')
}

function pemPair({ crt, key }: CertificateAndKey): KeyPair {
  return { crt: Buffer.from(crt, 'base64').toString(), key: Buffer.from(key, 'base64').toString() }
}
