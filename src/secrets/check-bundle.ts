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
  const certificate = parsedOrNot(crt, (pem) => new X509Certificate(pem))
  const privateKey = parsedOrNot(key, readPrivateKey)
  return [
    ...demand(certificate !== undefined, `${place}.crt is not a certificate: it was cut off or changed`),
    ...demand(privateKey !== undefined, notPrivate(`${place}.key`)),
    ...demand(
      certificate === undefined || privateKey === undefined || certificate.checkPrivateKey(privateKey),
      `${place}.key does not belong to ${place}.crt`,
    ),
  ]
}

function keyComplaints(place: string, value: string): string[] {
  return demand(parsedOrNot(value, readPrivateKey) !== undefined, notPrivate(place))
}

function notPrivate(place: string): string {
  return `${place} is not a private key: it was cut off or changed`
}

function parsedOrNot<T>(value: string, parse: (pem: string) => T): T | undefined {
  try {
    return parse(fromBase64(value))
  } catch {
    return undefined
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
