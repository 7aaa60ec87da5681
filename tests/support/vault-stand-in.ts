import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A strict stand-in for the part of Vault and OpenBao that ichor uses: KV version 2, token and AppRole login. Not the real server. */
export interface VaultStandIn {
  readonly address: string
  readonly requests: readonly VaultRequest[]
  /** Requests that no Vault would know; a test must end with none. */
  readonly unknown: readonly string[]
  /** As `vault kv get`; of `secret/clusters/dev`. */
  get(path: string): Readonly<Record<string, unknown>> | undefined
  put(path: string, data: Readonly<Record<string, unknown>>): void
  /** As `vault kv delete`: the newest version is hidden, and can be undeleted. */
  softDelete(path: string): void
  /** From now on it is a standby, which sends every request on to the server there; `undefined` makes it active again. */
  standBy(active: string | undefined): void
  seal(): void
  unseal(): void
  /** Every token that a login gave ends now. */
  expireTokens(): void
  /** Called after each read: for somebody who writes in the same moment. */
  onRead: (path: string) => void
  close(): Promise<void>
}

interface VaultRequest {
  readonly method: string
  readonly path: string
  readonly token: string | undefined
  readonly namespace: string | undefined
}

interface Secret {
  data: Readonly<Record<string, unknown>> | undefined
  version: number
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

export const approle = { roleId: 'ichor', secretId: 'one-of-many' }
export const rootToken = 'root-of-the-stand-in'

const failed = (status: number, ...errors: string[]): Answer => ({ status, body: { errors } })
const denied = failed(403, '1 error occurred:\n\t* permission denied\n\n')

/** The engine is mounted at `secret`, as in a Vault in development mode; `old` is one of version 1. */
export async function startVaultStandIn(): Promise<VaultStandIn> {
  const secrets = new Map<string, Secret>()
  const requests: VaultRequest[] = []
  const unknown: string[] = []
  const tokens = new Set([rootToken])
  let isSealed = false
  let active: string | undefined
  const standIn = { onRead: (_path: string) => {} }

  const logIn = (body: unknown): Answer => {
    const { role_id, secret_id } = (body ?? {}) as Record<string, unknown>
    if (role_id !== approle.roleId || secret_id !== approle.secretId) return failed(400, 'invalid role or secret ID')
    const token = `given-${tokens.size}`
    tokens.add(token)
    return { status: 200, body: { auth: { client_token: token, lease_duration: 1200, renewable: true } } }
  }
  const read = (path: string): Answer => {
    const secret = secrets.get(path)
    if (secret === undefined) return failed(404)
    const deleted = secret.data === undefined
    const metadata = { version: secret.version, destroyed: false, deletion_time: deleted ? '2026-11-15T00:00:00Z' : '' }
    const answer = { status: deleted ? 404 : 200, body: { data: { data: secret.data ?? null, metadata } } }
    standIn.onRead(path)
    return answer
  }
  const write = (path: string, body: unknown): Answer => {
    const { data, options } = (body ?? {}) as { data?: Record<string, unknown>; options?: { cas?: unknown } }
    if (typeof data !== 'object') return failed(400, 'no data provided')
    const version = secrets.get(path)?.version ?? 0
    if (typeof options?.cas !== 'number') return failed(400, 'check-and-set parameter required for this call')
    if (options.cas !== version) return failed(400, 'check-and-set parameter did not match the current version')
    secrets.set(path, { data, version: version + 1 })
    return { status: 200, body: { data: { version: version + 1 } } }
  }
  const answer = (method: string, path: string, token: string | undefined, body: unknown): Answer => {
    if (isSealed) return failed(503, 'Vault is sealed')
    if (method === 'POST' && path === '/v1/auth/approle/login') return logIn(body)
    if (token === undefined || !tokens.has(token)) return denied
    const [, mount = '', part, name = ''] = /^\/v1\/([^/]+)\/(?:(data|metadata)\/)?(.+)$/.exec(path) ?? []
    if (mount === 'old') return { status: 200, body: { data: { some: 'value' } } }
    if (mount !== 'secret') return failed(404, `no handler for route "${path.slice(4)}". route entry not found.`)
    const where = `secret/${decodeURIComponent(name)}`
    if (part === 'data' && method === 'GET') return read(where)
    if (part === 'data' && method === 'POST') return write(where, body)
    if (part === 'metadata' && method === 'DELETE') {
      secrets.delete(where)
      return { status: 204 }
    }
    unknown.push(`${method} ${path}`)
    return failed(405, 'unsupported operation')
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const token = headers['x-vault-token']?.toString()
    requests.push({ method, path: url, token, namespace: headers['x-vault-namespace']?.toString() })
    if (active !== undefined) {
      response.writeHead(307, { location: `${active}${url}` }).end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const { status, body } = answer(method, url, token, text === '' ? undefined : JSON.parse(text))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(standIn, {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unknown,
    get: (path: string) => secrets.get(path)?.data,
    put: (path: string, data: Readonly<Record<string, unknown>>) =>
      void secrets.set(path, { data, version: (secrets.get(path)?.version ?? 0) + 1 }),
    softDelete: (path: string) => {
      const secret = secrets.get(path)
      if (secret !== undefined) secret.data = undefined
    },
    standBy: (address: string | undefined) => {
      active = address
    },
    seal: () => {
      isSealed = true
    },
    unseal: () => {
      isSealed = false
    },
    expireTokens: () => {
      tokens.clear()
      tokens.add(rootToken)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}
