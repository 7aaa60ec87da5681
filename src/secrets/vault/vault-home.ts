import { readFileSync } from 'node:fs'
import { hostOf, isPlainHttp } from '../../cluster/plain-http.js'
import { SecretsError } from '../secrets-error.js'
import type { Environment } from '../sops/age-keys.js'

type VaultLogin =
  | { readonly token: string }
  | { readonly roleId: string; readonly secretId: string; readonly authMount: string }

/** A path of a KV v2 engine in Vault or OpenBao, and its credentials. */
export interface VaultHome {
  /** `https://vault.example:8200`. */
  readonly address: string
  readonly mount: string
  readonly path: string
  readonly login: VaultLogin
  readonly namespace?: string
  /** PEM. */
  readonly ca?: string
}

/** `vault://mount/path` with the environment of the `vault` and `bao` tools. */
export function vaultHomeFrom(reference: string, env: Environment): VaultHome {
  const match = /^vault:\/\/([^/#]+)\/([^#]+)$/.exec(reference)
  if (match === null) {
    throw new SecretsError(`${JSON.stringify(reference)} is not a place in Vault.`, {
      where: 'secrets',
      fix: 'Write vault://mount/path, such as vault://secret/clusters/dev.',
    })
  }
  const [, mount = '', path = ''] = match
  const namespace = env.VAULT_NAMESPACE ?? env.BAO_NAMESPACE
  const caFile = env.VAULT_CACERT ?? env.BAO_CACERT
  return {
    address: addressFrom(env),
    mount,
    path: path.replace(/\/+$/, ''),
    login: loginFrom(env),
    ...(namespace ? { namespace } : {}),
    ...(caFile ? { ca: readCa(caFile) } : {}),
  }
}

function readCa(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new SecretsError('The certificate that VAULT_CACERT names cannot be read.', {
      where: path,
      fix: 'Correct VAULT_CACERT, or unset it where a public CA vouches for Vault.',
      cause,
    })
  }
}

function addressFrom(env: Environment): string {
  const address = env.VAULT_ADDR || env.BAO_ADDR
  if (address && isPlainHttp(address) && !allowed(env).includes(hostOf(address))) throw inTheClear(address)
  if (address && /^https?:\/\//.test(address)) return address.replace(/\/+$/, '')
  throw new SecretsError('The inventory keeps its secrets in Vault, and no address of a Vault is known.', {
    where: 'environment',
    fix: 'Set VAULT_ADDR, such as https://vault.example:8200.',
  })
}

/** The address comes from the environment, and so does the permission to use it. */
function allowed(env: Environment): readonly string[] {
  return (env.ICHOR_ALLOW_HTTP ?? '').split(',').map((host) => host.trim())
}

function inTheClear(address: string): SecretsError {
  return new SecretsError(`Vault at ${address} has no TLS: the token and the secrets would be readable on the way.`, {
    where: 'VAULT_ADDR',
    fix: `Use https, or set ICHOR_ALLOW_HTTP=${hostOf(address)} if you trust the network in between.`,
  })
}

function loginFrom(env: Environment): VaultLogin {
  const token = env.VAULT_TOKEN || env.BAO_TOKEN
  if (token) return { token }
  const { VAULT_ROLE_ID: roleId, VAULT_SECRET_ID: secretId } = env
  if (roleId && secretId) return { roleId, secretId, authMount: env.VAULT_APPROLE_MOUNT || 'approle' }
  throw new SecretsError('There is no way to log in to Vault.', {
    where: 'environment',
    fix: 'Set VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID.',
  })
}
