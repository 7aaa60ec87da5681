import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCertificate } from '../../simulator/proxmox/certificate.js'
import type { SecretsFile } from '../bundle.js'
import { generateBundle } from '../generate.js'
import { openSecretsStore } from '../store.js'
import { vaultHomeFrom } from './vault-home.js'
import { readVaultValue } from './vault-value.js'

interface Entry {
  readonly data: unknown
  readonly version: number
}

interface FakeVault {
  readonly entries: Map<string, Entry>
  afterRead: (entry: Entry) => void
  readonly requests: { method: string; path: string; token?: string; namespace?: string }[]
}

let file: SecretsFile
let vault: FakeVault
let server: Server
let env: Record<string, string>
const openStore = (reference = 'vault://secret/clusters/dev') =>
  openSecretsStore({ folder: '/nowhere', env, notify: () => {}, vault: vaultHomeFrom(reference, env) })

beforeAll(async () => {
  file = { bundle: await generateBundle('v1.6'), memory: { bootstrapped: false, values: {} } }
})
beforeEach(async () => {
  vault = { entries: new Map(), afterRead: () => {}, requests: [] }
  server = createServer(async (request, response) => {
    const { status, body } = answer(vault, request, await bodyOf(request))
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  env = { VAULT_ADDR: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, VAULT_TOKEN: 'good' }
})
afterEach(() => server.close())

test('secrets are created once, found again and remembered into', async () => {
  const store = openStore()
  expect(await store.find()).toBeUndefined()
  await store.create(file)
  await expect(store.create(file)).rejects.toThrow('There are secrets already.')
  await store.remember({ bootstrapped: true, values: { token: 'abc' } })
  expect(await store.find()).toEqual({ ...file, memory: { bootstrapped: true, values: { token: 'abc' } } })
  await store.remove()
  expect(await store.find()).toBeUndefined()
})

test('AppRole logs in once and uses the token that it got', async () => {
  env = { VAULT_ADDR: env.VAULT_ADDR ?? '', VAULT_ROLE_ID: 'role', VAULT_SECRET_ID: 'sid', VAULT_NAMESPACE: 'team' }
  const store = openStore()
  await store.create(file)
  expect(await store.find()).toEqual(file)
  expect(vault.requests.map(({ path }) => path)).toEqual([
    '/v1/auth/approle/login',
    '/v1/secret/data/clusters/dev',
    '/v1/secret/data/clusters/dev',
  ])
  expect(vault.requests.at(-1)).toMatchObject({ token: 'good', namespace: 'team' })
})

test('a change by somebody else in the same moment is kept, and ours is made on top of it', async () => {
  const store = openStore()
  await store.create(file)
  let strikes = 2
  vault.afterRead = (entry) => {
    if (strikes-- > 0) vault.entries.set('secret/clusters/dev', { ...entry, version: entry.version + 1 })
  }
  await store.remember({ bootstrapped: true })
  expect((await store.find())?.memory.bootstrapped).toBe(true)
  vault.afterRead = (entry) => vault.entries.set('secret/clusters/dev', { ...entry, version: entry.version + 1 })
  await expect(store.remember({ bootstrapped: false })).rejects.toThrow('keep being changed by another process')
})

test('one value of a path is read by its name', async () => {
  vault.entries.set('secret/proxmox', { data: { token_secret: 'abc' }, version: 1 })
  expect(await readVaultValue('vault://secret/proxmox#token_secret', env)).toBe('abc')
  await expect(readVaultValue('vault://secret/proxmox#other', env)).rejects.toThrow('Vault has no other there.')
  await expect(readVaultValue('vault://secret/gone#x', env)).rejects.toThrow('Vault has no x there.')
})

test.each([
  ['a token without rights', { VAULT_TOKEN: 'bad' }, 'status 403'],
  ['a wrong role', { VAULT_TOKEN: '', VAULT_ROLE_ID: 'x', VAULT_SECRET_ID: 'y' }, 'AppRole login (status 400)'],
])('%s is reported without repeating any secret', async (_, change, problem) => {
  Object.assign(env, change)
  await expect(openStore().create(file)).rejects.toThrow(problem)
  await expect(openStore().create(file)).rejects.not.toThrow(file.bundle.secrets.bootstraptoken)
})

test('an engine of version 1 is distinguished', async () => {
  await expect(openStore('vault://old/clusters/dev').find()).rejects.toThrow('not as a KV version 2 engine')
})

test('a Vault with a certificate of an own CA is reached with VAULT_CACERT, and not without', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-vault-'))
  const { ca, certificate, key } = await makeCertificate([{ name: 'vault', addresses: ['127.0.0.1'] }])
  await writeFile(join(folder, 'ca.pem'), ca)
  const secure = createSecureServer({ cert: certificate, key }, (_, response) => response.writeHead(404).end('{}'))
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  env.VAULT_ADDR = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`
  await expect(openStore().find()).rejects.toThrow('cannot be used')
  env.VAULT_CACERT = join(folder, 'ca.pem')
  expect(await openStore().find()).toBeUndefined()
  env.VAULT_CACERT = join(folder, 'gone.pem')
  expect(() => openStore()).toThrow('The certificate that VAULT_CACERT names cannot be read.')
  secure.close()
  await rm(folder, { recursive: true })
})

test('a Vault that is away is named', async () => {
  server.close()
  await expect(openStore().find()).rejects.toThrow(`Vault at ${env.VAULT_ADDR} cannot be used`)
})

test.each([
  ['vault://onlymount', {}, 'is not a place in Vault'],
  ['vault://secret/x', { VAULT_ADDR: '' }, 'no address of a Vault'],
  ['vault://secret/x', { VAULT_ADDR: 'vault:8200:x' }, 'no address of a Vault'],
  ['vault://secret/x', { VAULT_TOKEN: '' }, 'no way to log in'],
])('%s with %j is refused', (reference, change, problem) => {
  expect(() => vaultHomeFrom(reference, { ...env, ...change })).toThrow(problem)
})

test("OpenBao's own variables work as well", () => {
  expect(vaultHomeFrom('vault://kv/a/b/', { BAO_ADDR: 'https://bao:8200/', BAO_TOKEN: 't' })).toEqual({
    address: 'https://bao:8200',
    mount: 'kv',
    path: 'a/b',
    login: { token: 't' },
  })
})

/** The part of Vault's KV version 2 that is used here, with its check-and-set rule. */
function answer(fake: FakeVault, request: IncomingMessage, body: string): { status: number; body?: unknown } {
  const path = request.url ?? ''
  const { 'x-vault-token': token, 'x-vault-namespace': namespace } = request.headers
  fake.requests.push({
    method: request.method ?? '',
    path,
    ...(token === undefined ? {} : { token: String(token) }),
    ...(namespace === undefined ? {} : { namespace: String(namespace) }),
  })
  if (path === '/v1/auth/approle/login')
    return body.includes('"role"')
      ? { status: 200, body: { auth: { client_token: 'good' } } }
      : { status: 400, body: { errors: ['invalid role or secret ID'] } }
  if (token !== 'good') return { status: 403, body: { errors: ['permission denied'] } }
  if (path.startsWith('/v1/old/')) return { status: 200, body: { data: { some: 'value' } } }
  const key = path.replace(/^\/v1\/([^/]+)\/(data|metadata)\//, '$1/')
  const entry = fake.entries.get(key)
  if (request.method === 'DELETE') return { status: fake.entries.delete(key) ? 204 : 404 }
  if (request.method === 'GET') {
    if (entry === undefined) return { status: 404, body: { errors: [] } }
    fake.afterRead(entry)
    return { status: 200, body: { data: { data: entry.data, metadata: { version: entry.version } } } }
  }
  const { options, data } = JSON.parse(body) as { options: { cas: number }; data: unknown }
  if (options.cas !== (entry?.version ?? 0))
    return { status: 400, body: { errors: ['check-and-set parameter did not match the current version'] } }
  fake.entries.set(key, { data, version: options.cas + 1 })
  return { status: 200, body: { data: { version: options.cas + 1 } } }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

test.each([
  { address: 'http://vault.lan:8200', allow: undefined, ok: false },
  { address: 'http://vault.lan:8200', allow: 'other.lan', ok: false },
  { address: 'http://vault.lan:8200', allow: 'other.lan, vault.lan', ok: true },
  { address: 'https://vault.lan:8200', allow: undefined, ok: true },
  { address: 'http://127.0.0.1:8200', allow: undefined, ok: true },
])('a token goes to $address with ICHOR_ALLOW_HTTP=$allow: $ok', ({ address, allow, ok }) => {
  const home = () =>
    vaultHomeFrom('vault://secret/dev', { VAULT_ADDR: address, VAULT_TOKEN: 't', ICHOR_ALLOW_HTTP: allow })
  if (ok) expect(home().address).toBe(address)
  else expect(home).toThrow('has no TLS')
})
