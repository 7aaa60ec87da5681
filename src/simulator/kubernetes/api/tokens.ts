import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { ClusterState } from '../cluster-state.js'
import { mapAt, numberAt, textAt, valueAt } from '../object.js'
import type { ServiceAccountOptions } from '../seam.js'
import { StatusError } from '../status-error.js'
import type { User } from './authenticate.js'

/** Service account tokens, as one API server signs and checks them. */
export interface Tokens {
  /** ID of the key that it signs with. */
  readonly keyId: string
  accepts(keyId: string): boolean
  issue(namespace: string, name: string, seconds: number): { readonly token: string; readonly expires: number }
  /** Throws 401 for an invalid token. */
  userOf(token: string): User
}

export function createTokens(options: ServiceAccountOptions, state: ClusterState): Tokens {
  const key = createPrivateKey(options.privateKey)
  const own = createPublicKey(key)
  const accepted = new Map(
    [own, ...options.acceptedKeys.map((pem) => createPublicKey(pem))].map((one) => [idOf(one), one]),
  )
  return {
    keyId: idOf(own),
    accepts: (keyId) => accepted.has(keyId),
    issue: (namespace, name, seconds) => {
      const account = state.objects.find('serviceaccounts', namespace, name)
      if (account === undefined) throw new StatusError(404, 'NotFound', `serviceaccounts "${name}" not found`)
      const now = Math.floor(state.clock.now() / 1000)
      const claims = {
        aud: [options.issuer],
        iss: options.issuer,
        iat: now,
        nbf: now,
        exp: now + seconds,
        'kubernetes.io': { namespace, serviceaccount: { name, uid: account.metadata.uid } },
        sub: `system:serviceaccount:${namespace}:${name}`,
      }
      return { token: signed(key, { alg: algorithmOf(key), kid: idOf(own) }, claims), expires: (now + seconds) * 1000 }
    },
    userOf: (token) => {
      const claims = claimsOf(token, [...accepted.values()])
      if (claims === undefined || !isValid(claims, options.issuer, state)) throw unauthorized()
      const { namespace = '', name = '' } = accountIn(claims)
      return {
        name: `system:serviceaccount:${namespace}:${name}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
      }
    },
  }
}

function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized')
}

function isValid(claims: object, issuer: string, state: ClusterState): boolean {
  const now = state.clock.now() / 1000
  const { namespace, name = '', uid } = accountIn(claims)
  const audience = valueAt(claims, 'aud')
  return (
    textAt(claims, 'iss') === issuer &&
    Array.isArray(audience) &&
    audience.includes(issuer) &&
    (numberAt(claims, 'nbf') ?? 0) <= now &&
    (numberAt(claims, 'exp') ?? 0) > now &&
    uid !== undefined &&
    state.objects.find('serviceaccounts', namespace, name)?.metadata.uid === uid
  )
}

function accountIn(claims: object) {
  const account = mapAt(claims, 'kubernetes.io', 'serviceaccount')
  const namespace = textAt(claims, 'kubernetes.io', 'namespace')
  return { namespace, name: textAt(account, 'name'), uid: textAt(account, 'uid') }
}

/** The claims of the token, if one of these keys signed it. */
function claimsOf(token: string, keys: readonly KeyObject[]): object | undefined {
  const [header = '', body = '', signature = ''] = token.split('.')
  const data = Buffer.from(`${header}.${body}`)
  const isSigned = keys.some((key) => verify('sha256', data, signing(key), Buffer.from(signature, 'base64url')))
  if (!isSigned) return undefined
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString())
  } catch {
    return undefined
  }
}

function signed(key: KeyObject, header: object, claims: object): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), signing(key)).toString('base64url')}`
}

function signing(key: KeyObject) {
  return key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' as const } : { key }
}

function algorithmOf(key: KeyObject): string {
  return key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256'
}

function idOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
}
