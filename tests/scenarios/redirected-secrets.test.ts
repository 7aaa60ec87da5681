import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testFile } from '../../src/proxmox/client/testing/tiny-server.js'
import type { Destination } from '../../src/secrets/bound-to.js'
import { generateBundle } from '../../src/secrets/generate.js'
import { openSecretsStore } from '../../src/secrets/store.js'
import { sealed } from '../../src/trust/bound-seal.js'
import { atATerminal } from '../support/at-a-terminal.js'

const secret = '3f0e5a5e-96d1-4f0b-a2ed-6c1f0c1a7b11'
const fingerprint = new X509Certificate(testFile('host.crt')).fingerprint256

/** Notes who connects, and says nothing. */
async function aListener() {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, close: () => server.close() }
}

type Listener = Awaited<ReturnType<typeof aListener>>
let [right, other]: Listener[] = []
let folder: string
let env: Record<string, string>

beforeEach(async () => {
  right = await aListener()
  other = await aListener()
  folder = await mkdtemp(join(tmpdir(), 'ichor-redirected-'))
  env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), ICHOR_LAB_DIR: join(folder, 'lab') }
  await writeFile(join(folder, 'pve.token'), `ichor@pve!dev=${secret}\n`)
})
afterEach(async () => {
  right?.close()
  other?.close()
  await rm(folder, { recursive: true, force: true })
})

interface Written {
  readonly proxmox?: Readonly<Record<string, unknown>>
  readonly more?: string
}

/** The inventory that the token is bound for, with these changes. */
async function anInventory({ proxmox = {}, more = '' }: Written = {}): Promise<void> {
  const settings = { endpoint: `https://127.0.0.1:${right?.port}`, token_id: 'ichor@pve!dev', fingerprint, ...proxmox }
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev\nsecrets: plain\nnetwork: { cidr: 10.0.0.0/24, gateway: 10.0.0.1 }\nproxmox: ${JSON.stringify(settings)}\n${more}`,
  )
}

/** Secrets in which it is written where token and keys may be sent. */
async function boundSecrets(): Promise<void> {
  const bundle = await generateBundle('v1.13')
  const proxmox: Destination = { to: [`127.0.0.1:${right?.port}`], pin: `fingerprint:${fingerprint}`, via: '' }
  const backup: Destination = { to: [`http://127.0.0.1:${right?.port}/snapshots`], pin: 'system', via: '' }
  const boundTo = {
    proxmox: sealed('proxmox', proxmox, [secret], undefined),
    backup: sealed('backup', backup, [bundle.cluster.secret], undefined),
  }
  const memory = {
    bootstrapped: true,
    contract: 'v1.13',
    values: { 'proxmox.token': `ichor@pve!dev=${secret}` },
    boundTo,
  }
  await openSecretsStore({ folder, env, notify: () => {}, plain: true }).create({ bundle, memory })
}

const ichor = (words: readonly string[], answers?: readonly string[]) =>
  atATerminal([...words, '-i', folder], { folder, env, ...(answers === undefined ? {} : { answers }) })

const references = ['env:PROXMOX_TOKEN_SECRET', 'file:pve.token', 'secret:proxmox.token', `ichor@pve!dev=${secret}`]
const elsewhere = (port: number): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'another endpoint': { endpoint: `https://127.0.0.1:${port}` },
  'another endpoint, unverified': { endpoint: `https://127.0.0.1:${port}`, insecure: true, fingerprint: undefined },
  'one more endpoint': { endpoints: [`https://127.0.0.1:${port}`] },
  'a SOCKS proxy': { socks: `socks5://127.0.0.1:${port}` },
  'a jump host': { ssh: { host: '127.0.0.1', port, key: 'id' } },
  'no verification': { insecure: true, fingerprint: undefined },
  'another fingerprint': { fingerprint: Array(32).fill('AB').join(':') },
})

test.each(references.flatMap((reference) => Object.keys(elsewhere(0)).map((change) => ({ reference, change }))))(
  'the token behind $reference is not sent when the inventory names $change',
  async ({ reference, change }) => {
    env.PROXMOX_TOKEN_SECRET = secret
    await boundSecrets()
    await anInventory({ proxmox: { token_secret: reference, ...elsewhere(other?.port ?? 0)[change] } })
    const refused = await ichor(['plan'])
    expect(refused.text).toContain('is bound to')
    expect([refused.code, right?.connections(), other?.connections()]).toEqual([3, 0, 0])
  },
)

test.each(references)('as it is bound, the token behind %s is sent', async (reference) => {
  env.PROXMOX_TOKEN_SECRET = secret
  await boundSecrets()
  await anInventory({ proxmox: { token_secret: reference } })
  const tried = await ichor(['plan'])
  expect(tried.code).not.toBe(3)
  expect(right?.connections()).toBeGreaterThan(0)
})

test.each([
  ['another endpoint', (port: number) => `    endpoint: http://127.0.0.1:${port}\n    store: s3://snapshots\n`],
  ['another bucket', () => `    endpoint: http://127.0.0.1:${right?.port}\n    store: s3://theirs\n`],
  ['a region that is a host', () => `    region: "x.invalid/"\n    store: s3://snapshots\n`],
])('the keys of the backups are not sent when the inventory names %s', async (_, settings) => {
  await boundSecrets()
  Object.assign(env, { BACKUP_ACCESS_KEY: 'key', BACKUP_SECRET_KEY: 'secret' })
  const keys = '    access_key: env:BACKUP_ACCESS_KEY\n    secret_key: env:BACKUP_SECRET_KEY\n'
  await anInventory({ more: `backup:\n  etcd:\n${settings(other?.port ?? 0)}${keys}` })
  const refused = await ichor(['backup', 'list'])
  expect(refused.code).not.toBe(0)
  expect([right?.connections(), other?.connections()]).toEqual([0, 0])
})

test('the endpoint in the environment does not unbind the bucket', async () => {
  await boundSecrets()
  const endpoint = `http://127.0.0.1:${right?.port}`
  Object.assign(env, { AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })
  const listed = async (store: string) => {
    await anInventory({ more: `backup: { etcd: { endpoint: "${endpoint}", store: "${store}" } }\n` })
    return ichor(['backup', 'list'])
  }
  const refused = await listed('s3://theirs')
  expect([refused.code, right?.connections()]).toEqual([3, 0])
  expect(refused.text).not.toContain('AWS_ENDPOINT_URL_S3')
  await listed('s3://snapshots/dev')
  expect(right?.connections()).toBeGreaterThan(0)
})

test('the bound bucket may move to the endpoint that the environment names', async () => {
  await boundSecrets()
  const endpoint = `http://127.0.0.1:${other?.port}`
  Object.assign(env, { AWS_ENDPOINT_URL_S3: endpoint, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })
  await anInventory({ more: `backup: { etcd: { endpoint: "${endpoint}", store: "s3://snapshots" } }\n` })
  await ichor(['backup', 'list'])
  expect(other?.connections()).toBeGreaterThan(0)
})

test('as they are bound, the keys of the backups are sent', async () => {
  await boundSecrets()
  Object.assign(env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' })
  await anInventory({
    more: `backup: { etcd: { endpoint: "http://127.0.0.1:${right?.port}", store: "s3://snapshots/dev" } }\n`,
  })
  await ichor(['backup', 'list'])
  expect(right?.connections()).toBeGreaterThan(0)
})

test.each([
  'SOPS_AGE_KEY',
  'VAULT_TOKEN',
  'VAULT_SECRET_ID',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'CI_JOB_TOKEN',
  'KUBECONFIG',
  'HEROKU_API_KEY',
])('%s is never sent as a token, also where its endpoint is confirmed', async (name) => {
  Object.assign(env, { [name]: secret, PROXMOX_VE_ENDPOINT: `https://127.0.0.1:${right?.port}` })
  await anInventory({ proxmox: { token_secret: `env:${name}` } })
  const refused = await ichor(['plan'])
  expect(refused.text).toContain(name)
  expect([refused.code, right?.connections()]).toEqual([2, 0])
})

test.each([
  ['env:PROXMOX_TOKEN_SECRET', 'hunter2'],
  ['file:id_ed25519', '-----BEGIN OPENSSH PRIVATE KEY-----'],
  ['file:keys.txt', 'AGE-SECRET-KEY-1QQQQ'],
])('%s that holds %s is not sent as a token', async (reference, value) => {
  Object.assign(env, { PROXMOX_TOKEN_SECRET: value, PROXMOX_VE_ENDPOINT: `https://127.0.0.1:${right?.port}` })
  await writeFile(join(folder, reference.split(':')[1] ?? ''), value)
  await anInventory({ proxmox: { token_secret: reference } })
  const refused = await ichor(['plan'])
  expect(refused.text).not.toContain(value)
  expect([refused.code, right?.connections()]).toEqual([2, 0])
})

test('a secrets file that others wrote for our age key does not bind our token to them', async () => {
  env.PROXMOX_TOKEN_SECRET = '00000000-1111-2222-3333-444444444444'
  await boundSecrets()
  await anInventory({ proxmox: { token_secret: 'env:PROXMOX_TOKEN_SECRET' } })
  const refused = await ichor(['plan'])
  expect(refused.text).toContain('not confirmed yet')
  expect([refused.code, right?.connections()]).toEqual([3, 0])
})

test('the address of Vault is that of the environment', async () => {
  Object.assign(env, { VAULT_ADDR: `http://127.0.0.1:${right?.port}`, VAULT_TOKEN: 'a-token' })
  await anInventory({ proxmox: { token_secret: `vault://127.0.0.1:${other?.port}/x/..#/../..#name` } })
  expect((await ichor(['plan'])).code).not.toBe(0)
  expect(other?.connections()).toBe(0)
})

/** Those of addons stand in their catalogue, and in `secrets-of-others.test.ts`. */
test('no secret of the schema is missing above', () => {
  const folder = 'src/inventory/schema'
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const found = [...text.matchAll(/(\w+): secret\b\s*\./g)].map(([, name]) => name)
  expect(found.toSorted()).toEqual([
    'access_key',
    // Used on this computer alone, to open the key of the jump host.
    'passphrase',
    // Of a webhook: it signs, and is never sent.
    'secret',
    'secret_key',
    // Read from those who ask for metrics, and never sent.
    'token',
    'token_secret',
    // Of a webhook: its value is the address.
    'url',
  ])
})
