import { SecretsError } from '../secrets-error.js'
import type { VaultHome } from './vault-home.js'
import { askVault, type VaultAnswer } from './vault-http.js'

/** The content of a path: texts by name, and the version that a change must name. */
interface VaultEntry {
  readonly values: Readonly<Record<string, string>>
  readonly version: number
}

/** One path of a KV v2 engine, of HashiCorp Vault or OpenBao. */
export interface VaultPath {
  readonly location: string
  find(): Promise<VaultEntry | undefined>
  /** Writes only if the version is still this one; 0 means that nothing exists yet. Returns whether it wrote. */
  writeIf(version: number, values: Readonly<Record<string, string>>): Promise<boolean>
  /** Removes every version. */
  remove(): Promise<void>
}

/** Opens a path; logs in at first use, and again when the login expires during a long run. */
export function openVaultPath(home: VaultHome): VaultPath {
  const location = `vault://${home.mount}/${home.path}`
  let token: Promise<string> | undefined
  const askOnce = async (method: Method, part: 'data' | 'metadata', body?: unknown) => {
    token ??= logIn(home)
    const url = new URL(`/v1/${home.mount}/${part}/${encodePath(home.path)}`, home.address)
    const headers = { ...headersOf(home), 'X-Vault-Token': await token }
    return askVault({ method, url, headers, ...certificates(home), ...(body === undefined ? {} : { body }) })
  }
  const ask = async (...request: Parameters<typeof askOnce>) => {
    const isFirst = token === undefined
    const answer = await askOnce(...request)
    if (answer.status !== 403 || isFirst || 'token' in home.login) return answer
    token = undefined
    return askOnce(...request)
  }
  return {
    location,
    find: async () => {
      const answer = await ask('GET', 'data')
      if (answer.status === 404) return refuseHidden(answer, home)
      return entryFrom(demandSuccess(answer, home), location)
    },
    writeIf: async (version, values) => {
      const answer = await ask('POST', 'data', { options: { cas: version }, data: values })
      if (answer.status === 400 && messagesOf(answer).some((text) => text.includes('did not match'))) return false
      demandSuccess(answer, home)
      return true
    },
    remove: async () => {
      const answer = await ask('DELETE', 'metadata')
      if (answer.status !== 404) demandSuccess(answer, home)
    },
  }
}

type Method = 'GET' | 'POST' | 'DELETE'

/**
 * Vault also returns 404 if the engine is missing or the newest version was deleted: neither means that there are no
 * secrets.
 */
function refuseHidden(answer: VaultAnswer, { mount, path }: VaultHome): undefined {
  const location = `vault://${mount}/${path}`
  const { data } = (answer.body ?? {}) as { data?: { metadata?: { version?: number } } }
  const version = data?.metadata?.version
  if (version !== undefined) {
    throw new SecretsError(`Version ${version} of the secrets in Vault was deleted.`, {
      where: location,
      fix: `Bring it back with \`vault kv undelete -mount=${mount} -versions=${version} ${path}\`, or remove what is left with \`vault kv metadata delete -mount=${mount} ${path}\`.`,
    })
  }
  if (messagesOf(answer).length === 0) return undefined
  throw new SecretsError(`Vault has nothing mounted at ${mount}.`, {
    where: location,
    fix: 'Check the path in the inventory, and VAULT_NAMESPACE; `vault secrets list` shows what there is.',
  })
}

async function logIn(home: VaultHome): Promise<string> {
  if ('token' in home.login) return home.login.token
  const { roleId, secretId, authMount } = home.login
  const url = new URL(`/v1/auth/${authMount}/login`, home.address)
  const body = { role_id: roleId, secret_id: secretId }
  const answer = await askVault({ method: 'POST', url, headers: headersOf(home), body, ...certificates(home) })
  const token =
    answer.status === 200 ? (answer.body as { auth?: { client_token?: string } }).auth?.client_token : undefined
  if (token !== undefined) return token
  if (answer.status >= 500) demandSuccess(answer, home)
  throw new SecretsError(`Vault refused the AppRole login (status ${answer.status}).`, {
    where: `${home.address} auth/${authMount}`,
    fix: 'Check VAULT_ROLE_ID and VAULT_SECRET_ID; a secret id may have been used up or expired.',
  })
}

function demandSuccess(answer: VaultAnswer, { mount, path, address }: VaultHome): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body
  const messages = messagesOf(answer).map((text) => text.replace(/\s+/g, ' ').trim())
  const isSealed = answer.status === 503 && messages.some((text) => text.includes('sealed'))
  const problem = isSealed
    ? 'Vault is sealed.'
    : `Vault refused (status ${answer.status}): ${messages.join('; ') || 'no reason given'}.`
  throw new SecretsError(problem, {
    where: isSealed ? address : `vault://${mount}/${path}`,
    fix: fixFor(answer.status, isSealed),
  })
}

function fixFor(status: number, isSealed: boolean): string {
  if (isSealed) return 'Unseal it with `vault operator unseal`, and run the command again: nothing was lost.'
  if (status === 403) {
    return 'Give the token a policy with create, read, update and delete on this path, under data/ and metadata/; it may also have expired.'
  }
  return 'Check that this is a KV version 2 engine and that Vault is healthy: `vault status`.'
}

function entryFrom(body: unknown, location: string): VaultEntry {
  const { data } = body as { data?: { data?: Record<string, unknown>; metadata?: { version?: number } } }
  const version = data?.metadata?.version
  if (data?.data === undefined || version === undefined) {
    throw new SecretsError('Vault did not respond like a KV v2 engine.', {
      where: location,
      fix: 'Use a KV version 2 engine: `vault secrets enable -version=2 -path=secret kv`.',
    })
  }
  const values = Object.entries(data.data).map(([name, value]) => [name, String(value)] as const)
  return { values: Object.fromEntries(values), version }
}

function messagesOf({ body }: VaultAnswer): string[] {
  const errors = (body as { errors?: unknown } | undefined)?.errors
  return Array.isArray(errors) ? errors.map(String) : []
}

function headersOf({ namespace }: VaultHome): Record<string, string> {
  return { 'X-Vault-Request': 'true', ...(namespace === undefined ? {} : { 'X-Vault-Namespace': namespace }) }
}

function certificates({ ca }: VaultHome): { ca?: string } {
  return ca === undefined ? {} : { ca }
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
