import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { decodePem, encodePem } from './pem.js'

export type KeyKind = 'ed25519' | 'p256' | 'rsa4096'

const generate = promisify(generateKeyPair)

/** A new private key. RSA takes one to four seconds, off the main thread. */
export async function generatePrivateKey(kind: KeyKind): Promise<KeyObject> {
  switch (kind) {
    case 'ed25519':
      return (await generate('ed25519', {})).privateKey
    case 'p256':
      return (await generate('ec', { namedCurve: 'P-256' })).privateKey
    case 'rsa4096':
      return (await generate('rsa', { modulusLength: 4096 })).privateKey
  }
}

/** The PEM text in Talos's format for each kind of key; OpenSSL does not know the Ed25519 label. */
export function privateKeyPem(key: KeyObject): string {
  switch (kindOf(key)) {
    case 'ed25519':
      return encodePem('ED25519 PRIVATE KEY', key.export({ type: 'pkcs8', format: 'der' }))
    case 'p256':
      return encodePem('EC PRIVATE KEY', key.export({ type: 'sec1', format: 'der' }))
    case 'rsa4096':
      return encodePem('RSA PRIVATE KEY', key.export({ type: 'pkcs1', format: 'der' }))
  }
}

/** Reads any private key that Talos accepts; the error never contains the text. */
export function readPrivateKey(pem: string): KeyObject {
  const { label, der } = decodePem(pem)
  if (!label.endsWith('PRIVATE KEY')) throw new Error(`a private key was expected, and this is a ${label}`)
  try {
    return createPrivateKey({ key: der, format: 'der', type: derForms[label] ?? 'pkcs8' })
  } catch {
    throw new Error(`the ${label} cannot be parsed`)
  }
}

/** The kind of key to generate next to this one: a leaf follows its CA. */
export function kindOf(key: KeyObject): KeyKind {
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return 'ed25519'
    case 'ec':
      return 'p256'
    case 'rsa':
      return 'rsa4096'
    default:
      throw new Error(`keys of type ${key.asymmetricKeyType} are not used by Talos`)
  }
}

const derForms: Readonly<Record<string, 'pkcs1' | 'sec1'>> = {
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
}
