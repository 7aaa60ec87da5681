import { type ConfigValue, isConfigList, isConfigObject } from './config-value.js'

/** What stands in place of a secret. */
export const secretMask = '(secret)'

/** Keys that hold a secret wherever they stand. */
const secretKeys = new Set([
  'token',
  'secret',
  'clusterSecret',
  'aescbcEncryptionSecret',
  'secretboxEncryptionSecret',
  'password',
  'identityToken',
  'privateKey',
  'presharedKey',
  'passphrase',
  'apiToken',
  'uniqueToken',
  'apiUrl',
])

/** Keys that hold a secret only under one of these. */
const secretUnder: Readonly<Record<string, readonly string[]>> = {
  key: ['ca', 'aggregatorCA', 'serviceAccount', 'clientIdentity', 'issuingCA'],
  auth: ['auth', 'RegistryAuthConfig'],
}

/** Texts of the user's own, which may hold anything. */
const opaqueTexts = new Set(['contents', 'content', 'manifest'])

/** Whether the value at this path of a document must not be shown. */
export function isSecretField(kind: string, path: readonly string[], value: ConfigValue): boolean {
  const key = path.at(-1) ?? ''
  const parent = path.findLast((part, index) => index < path.length - 1 && !part.startsWith('[')) ?? kind
  if (typeof value !== 'string') return false
  if (secretKeys.has(key) || opaqueTexts.has(key) || (secretUnder[key] ?? []).includes(parent)) return true
  return (
    /PRIVATE KEY-----/.test(value) ||
    (value.startsWith('LS0tLS1CRUdJTi') && /PRIVATE KEY/.test(Buffer.from(value, 'base64').toString('latin1')))
  )
}

/** The value with every secret in it masked. */
export function withoutSecrets(kind: string, value: ConfigValue, path: readonly string[] = []): ConfigValue {
  if (isConfigList(value)) return value.map((item, index) => withoutSecrets(kind, item, [...path, `[${index}]`]))
  if (isConfigObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withoutSecrets(kind, inner, [...path, key])]),
    )
  }
  return value !== '' && isSecretField(kind, path, value) ? secretMask : value
}
