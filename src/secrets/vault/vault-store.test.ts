import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { approle, rootToken, startVaultStandIn, type VaultStandIn } from '../../../tests/support/vault-stand-in.js'
import { makeCertificate } from '../../simulator/proxmox/certificate.js'
import type { SecretsFile } from '../bundle.js'
import { generateBundle } from '../generate.js'
import { openSecretsStore } from '../store.js'
import { vaultHomeFrom } from './vault-home.js'
import { readVaultValue, writeVaultValue } from './vault-value.js'

let file: SecretsFile
let vault: VaultStandIn
let env: Record<string, string>
const place = 'secret/clusters/dev'
const openStore = (reference = `vault://${place}`) =>
  openSecretsStore({ folder: '/nowhere', env, notify: () => {}, vault: vaultHomeFrom(reference, env) })

beforeAll(async () => {
  file = { bundle: await generateBundle('v1.6'), memory: { bootstrapped: false, values: {} } }
})
beforeEach(async () => {
  vault = await startVaultStandIn()
  env = { VAULT_ADDR: vault.address, VAULT_TOKEN: rootToken }
})
afterEach(async () => {
  await vault.close()
  expect(vault.unknown).toEqual([])
})

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

const asRole = (address: string) => ({
  VAULT_ADDR: address,
  VAULT_ROLE_ID: approle.roleId,
  VAULT_SECRET_ID: approle.secretId,
})

test('AppRole logs in once and uses the token that it got', async () => {
  env = { ...asRole(vault.address), VAULT_NAMESPACE: 'team' }
  const store = openStore()
  await store.create(file)
  expect(await store.find()).toEqual(file)
  expect(vault.requests.map(({ path }) => path)).toEqual([
    '/v1/auth/approle/login',
    '/v1/secret/data/clusters/dev',
    '/v1/secret/data/clusters/dev',
  ])
  expect(vault.requests.at(-1)).toMatchObject({ token: 'given-1', namespace: 'team' })
})

test('a run that outlives its AppRole token logs in again, and once only', async () => {
  env = asRole(vault.address)
  const store = openStore()
  await store.create(file)
  vault.expireTokens()
  expect(await store.find()).toEqual(file)
  vault.expireTokens()
  env = { VAULT_ADDR: vault.address, VAULT_TOKEN: 'expired' }
  await expect(openStore().find()).rejects.toThrow('status 403')
})

test('a concurrent change is kept, and ours is applied on top of it', async () => {
  const store = openStore()
  await store.create(file)
  const touch = () => vault.put(place, vault.get(place) ?? {})
  let changesLeft = 2
  vault.onRead = () => {
    if (changesLeft-- > 0) touch()
  }
  await store.remember({ bootstrapped: true })
  expect((await store.find())?.memory.bootstrapped).toBe(true)
  vault.onRead = touch
  await expect(store.remember({ bootstrapped: false })).rejects.toThrow('are being changed by another process')
})

test('one value of a path is read by its name, and written beside the others', async () => {
  vault.put('secret/proxmox', { token_secret: 'abc' })
  expect(await readVaultValue('vault://secret/proxmox#token_secret', env)).toBe('abc')
  await expect(readVaultValue('vault://secret/proxmox#other', env)).rejects.toThrow('Vault has no other there.')
  await expect(readVaultValue('vault://secret/gone#x', env)).rejects.toThrow('Vault has no x there.')
  await writeVaultValue('vault://secret/proxmox#other', 'def', env)
  await writeVaultValue('vault://secret/new#x', 'ghi', env)
  expect(vault.get('secret/proxmox')).toEqual({ token_secret: 'abc', other: 'def' })
  expect(vault.get('secret/new')).toEqual({ x: 'ghi' })
})

test.each([
  ['a token without rights', { VAULT_TOKEN: 'bad' }, 'status 403'],
  ['a wrong role', { VAULT_TOKEN: '', VAULT_ROLE_ID: 'x', VAULT_SECRET_ID: 'y' }, 'AppRole login (status 400)'],
])('%s is reported without repeating any secret', async (_, change, problem) => {
  Object.assign(env, change)
  await expect(openStore().create(file)).rejects.toThrow(problem)
  await expect(openStore().create(file)).rejects.not.toThrow(file.bundle.secrets.bootstraptoken)
})

test('a sealed Vault is reported as such, and unsealed it works again', async () => {
  const store = openStore()
  await store.create(file)
  vault.seal()
  await expect(store.find()).rejects.toMatchObject({
    message: 'Vault is sealed.',
    fix: expect.stringContaining('Unseal'),
  })
  await expect(store.remember({ bootstrapped: true })).rejects.toThrow('Vault is sealed.')
  env = asRole(vault.address)
  await expect(openStore().find()).rejects.toThrow('Vault is sealed.')
  vault.unseal()
  expect(await store.find()).toEqual(file)
})

test('a mount that does not exist is not a cluster without secrets', async () => {
  await expect(openStore('vault://secrets/clusters/dev').find()).rejects.toThrow(
    'Vault has nothing mounted at secrets.',
  )
})

test('deleted secrets are reported, and no others are created in their place', async () => {
  const store = openStore()
  await store.create(file)
  vault.softDelete(place)
  await expect(store.find()).rejects.toMatchObject({
    message: 'Version 1 of the secrets in Vault was deleted.',
    fix: expect.stringContaining('vault kv undelete -mount=secret -versions=1 clusters/dev'),
  })
  await expect(store.create(file)).rejects.toThrow('There are secrets already.')
})

test('an engine of version 1 is distinguished', async () => {
  await expect(openStore('vault://old/clusters/dev').find()).rejects.toThrow('did not respond like a KV v2 engine')
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

test('a standby on the same host is followed to the active server, and the token goes to no other host', async () => {
  const standby = await startVaultStandIn()
  try {
    standby.standBy(vault.address)
    env.VAULT_ADDR = standby.address
    await openStore().create(file)
    expect(vault.get(place)).toBeDefined()
    const before = vault.requests.length
    standby.standBy(vault.address.replace('127.0.0.1', 'localhost'))
    await expect(openStore().find()).rejects.toMatchObject({
      message: expect.stringContaining('sends its clients on to http://localhost:'),
      fix: expect.stringContaining('Set VAULT_ADDR to the active server'),
    })
    expect(vault.requests.length).toBe(before)
    standby.standBy(standby.address)
    await expect(openStore().find()).rejects.toThrow('sends its clients on to')
  } finally {
    await standby.close()
  }
})

test('a Vault that is away is named', async () => {
  await vault.close()
  await expect(openStore().find()).rejects.toThrow(`Vault at ${vault.address} cannot be used`)
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
