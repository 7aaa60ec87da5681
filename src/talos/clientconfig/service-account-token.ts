import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { recordOf } from '../../cluster/object-fields.js'
import { readPrivateKey } from '../../pki/private-key.js'

/** Whose token it is, and who is said to have made it. */
export interface TokenClaims {
  /** The endpoint of the cluster: its API servers take tokens of themselves, for themselves. */
  readonly issuer: string
  readonly account: { readonly namespace: string; readonly name: string; readonly uid: string }
  readonly now: Date
}

const lifetimeSeconds = 600
/** Clocks differ a little. */
const leewaySeconds = 60

/** A token as an API server with this key would make it: whether another one takes it shows whether it has the key. */
export function signToken(serviceAccountKey: string, { issuer, account, now }: TokenClaims): string {
  const key = readKey(serviceAccountKey)
  const { namespace, name, uid } = account
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = {
    aud: [issuer],
    exp: seconds + lifetimeSeconds,
    iat: seconds - leewaySeconds,
    iss: issuer,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    nbf: seconds - leewaySeconds,
    sub: `system:serviceaccount:${namespace}:${name}`,
  }
  const isRsa = key.asymmetricKeyType === 'rsa'
  const header = { alg: isRsa ? 'RS256' : 'ES256', kid: keyIdOf(serviceAccountKey) }
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(text), isRsa ? key : { key, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

/** How API servers name a key in the tokens that it signs. */
export function keyIdOf(serviceAccountKey: string): string {
  const key = createPublicKey(readKey(serviceAccountKey))
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}

/** The key that a token says it was signed with; empty where that is no token. */
export function keyIdIn(token: string): string {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
    return String(recordOf(header).kid ?? '')
  } catch {
    return ''
  }
}

/** As the bundle has it: base64 of PEM. */
function readKey(serviceAccountKey: string): KeyObject {
  return readPrivateKey(Buffer.from(serviceAccountKey, 'base64').toString())
}
