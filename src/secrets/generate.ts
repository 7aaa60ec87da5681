import { randomBytes } from 'node:crypto'
import { type CaKind, createCa } from '../pki/ca.js'
import { generatePrivateKey, privateKeyPem } from '../pki/private-key.js'
import type { CertificateAndKey, SecretsBundle } from './bundle.js'
import { SecretsError } from './secrets-error.js'

/** New secrets for a cluster, as `talosctl gen secrets` creates them for this version contract (`v1.13`). */
export async function generateBundle(contract: string, options: { now?: Date } = {}): Promise<SecretsBundle> {
  const minor = minorOfContract(contract)
  const now = options.now ?? new Date()
  const [serviceAccountKey, etcd, k8s, k8saggregator, os] = await Promise.all([
    generatePrivateKey(minor >= 7 ? 'rsa4096' : 'p256'),
    makeCa('etcd', now),
    makeCa('k8s', now),
    makeCa('k8saggregator', now),
    makeCa('os', now),
  ])
  const encryptionSecret = randomBytes(32).toString('base64')
  return {
    cluster: { id: makeClusterId(minor), secret: randomBytes(32).toString('base64') },
    secrets: {
      bootstraptoken: makeToken(),
      ...(minor > 2 ? { secretboxencryptionsecret: encryptionSecret } : { aescbcencryptionsecret: encryptionSecret }),
    },
    trustdinfo: { token: makeToken() },
    certs: { etcd, k8s, k8saggregator, k8sserviceaccount: { key: toBase64(privateKeyPem(serviceAccountKey)) }, os },
  }
}

async function makeCa(kind: CaKind, now: Date): Promise<CertificateAndKey> {
  const { crt, key } = await createCa(kind, { now })
  return { crt: toBase64(crt), key: toBase64(key) }
}

/** Talos 1.14 changed from the URL alphabet to the standard one; it is never decoded. */
function makeClusterId(minor: number): string {
  const id = randomBytes(32).toString('base64')
  return minor >= 14 ? id : id.replaceAll('+', '-').replaceAll('/', '_')
}

/** A token in the form of Kubernetes' bootstrap tokens: `abcdef.0123456789abcdef`. */
function makeToken(): string {
  const text = randomLetters(22)
  return `${text.slice(0, 6)}.${text.slice(6)}`
}

/** Bytes from 252 on would favour the first letters, so they are discarded. */
function randomLetters(count: number): string {
  let text = ''
  while (text.length < count) {
    for (const byte of randomBytes(count)) if (byte < 252 && text.length < count) text += (byte % 36).toString(36)
  }
  return text
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

function minorOfContract(contract: string): number {
  const match = /^v?1\.(\d+)(\.\d+(-[0-9A-Za-z.-]+)?)?$/.exec(contract)
  if (match === null) {
    throw new SecretsError(`${JSON.stringify(contract)} is not a Talos version contract.`, {
      where: 'talos.contract',
      fix: 'Give a Talos minor version, such as v1.13.',
    })
  }
  return Number(match[1])
}
