import { X509Certificate } from 'node:crypto'
import { isRotatedCa, isUnfinished } from '../cluster/rotation.js'
import { readPrivateKey } from '../pki/private-key.js'
import type { CertificateAndKey, Rotation, SecretsBundle } from './bundle.js'

/** All problems of a bundle, with the place and never the value; empty if it is complete. */
export function complaintsAbout(bundle: SecretsBundle): string[] {
  const { cluster, secrets, trustdinfo, certs } = bundle
  return [
    ...demand(cluster.id !== '', 'cluster.id is missing'),
    ...demand(isKey(cluster.secret), 'cluster.secret is not 32 bytes in base64'),
    ...demand(isToken(secrets.bootstraptoken), 'secrets.bootstraptoken does not look like abcdef.0123456789abcdef'),
    ...demand(isToken(trustdinfo.token), 'trustdinfo.token does not look like abcdef.0123456789abcdef'),
    ...encryptionComplaints(secrets),
    ...pairComplaints('certs.etcd', certs.etcd),
    ...pairComplaints('certs.k8s', certs.k8s),
    ...pairComplaints('certs.k8saggregator', certs.k8saggregator),
    ...keyComplaints('certs.k8sserviceaccount.key', certs.k8sserviceaccount.key),
    ...pairComplaints('certs.os', certs.os),
  ]
}

/** Without the second key of a rotation in progress, configs would no longer accept it. */
export function rotationComplaints(rotation: Rotation | undefined): string[] {
  if (!isUnfinished(rotation)) return []
  const place = 'ichor.rotation.other'
  const { crt = '', key = '' } = rotation.other ?? {}
  if (isRotatedCa(rotation.what)) return pairComplaints(place, { crt, key })
  if (rotation.what === 'service-account-key') return keyComplaints(`${place}.key`, key)
  return demand(isKey(key), `${place}.key is not 32 bytes in base64`)
}

function encryptionComplaints(secrets: SecretsBundle['secrets']): string[] {
  const { secretboxencryptionsecret: secretbox, aescbcencryptionsecret: aescbc } = secrets
  const given = secretbox ?? aescbc
  if (given === undefined)
    return ['neither secrets.secretboxencryptionsecret nor secrets.aescbcencryptionsecret is set']
  if (secretbox !== undefined && aescbc !== undefined) {
    return ['secrets.secretboxencryptionsecret and secrets.aescbcencryptionsecret are both set, and only one may be']
  }
  return demand(isKey(given), 'the etcd encryption secret is not 32 bytes in base64')
}

function pairComplaints(place: string, { crt, key }: CertificateAndKey): string[] {
  const complaints = [...certificateComplaints(`${place}.crt`, crt), ...keyComplaints(`${place}.key`, key)]
  if (complaints.length > 0) return complaints
  const fits = new X509Certificate(fromBase64(crt)).checkPrivateKey(readPrivateKey(fromBase64(key)))
  return demand(fits, `${place}.key does not belong to ${place}.crt`)
}

function certificateComplaints(place: string, value: string): string[] {
  try {
    new X509Certificate(fromBase64(value))
    return []
  } catch {
    return [`${place} is not a certificate: it was cut off or changed`]
  }
}

function keyComplaints(place: string, value: string): string[] {
  try {
    readPrivateKey(fromBase64(value))
    return []
  } catch {
    return [`${place} is not a private key: it was cut off or changed`]
  }
}

function demand(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint]
}

function isKey(value: string): boolean {
  return Buffer.from(value, 'base64').length === 32
}

function isToken(value: string): boolean {
  return /^[0-9a-z]{6}\.[0-9a-z]{16}$/.test(value)
}

function fromBase64(value: string): string {
  return Buffer.from(value, 'base64').toString()
}
