import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { recordOf } from '../../cluster/object-fields.js'
import { readPrivateKey } from '../../pki/private-key.js'

/** The same token, signed with another key: shows whether an API server accepts that key. */
export function signedAgain(token: string, serviceAccountKey: string): string {
  const key = readKey(serviceAccountKey)
  const isRsa = key.asymmetricKeyType === 'rsa'
  const header = JSON.stringify({ alg: isRsa ? 'RS256' : 'ES256', kid: keyIdOf(serviceAccountKey) })
  const text = `${Buffer.from(header).toString('base64url')}.${token.split('.')[1] ?? ''}`
  const signature = sign('sha256', Buffer.from(text), isRsa ? key : { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** The key ID that API servers put into the tokens they sign. */
export function keyIdOf(serviceAccountKey: string): string {
  const key = createPublicKey(readKey(serviceAccountKey))
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

/** The ID of the key that signed a token; empty if it is not a token. */
export function keyIdIn(token: string): string {
  return String(partOf(token, 0).kid ?? '')
}

/** When it was issued, in milliseconds by the clock of the API server. */
export function madeAt(token: string): number {
  return Number(partOf(token, 1).iat ?? 0) * 1000
}

function partOf(token: string, index: 0 | 1): Readonly<Record<string, unknown>> {
  try {
    return recordOf(JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()))
  } catch {
    return {}
  }
}

/** As stored in the bundle: base64 of PEM. */
function readKey(serviceAccountKey: string): KeyObject {
  return readPrivateKey(Buffer.from(serviceAccountKey, 'base64').toString())
}
