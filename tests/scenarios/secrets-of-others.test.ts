import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { catalogue } from '../../src/addons/catalogue.js'
import type { UsageError } from '../../src/errors.js'
import { loadInventory } from '../../src/inventory/index.js'
import { loadSpec } from '../../src/operations/spec/load-spec.js'
import { webhooksOf } from '../../src/operations/watch/webhooks-of.js'
import { aBundle } from '../../src/talos/config/testdata/a-machine.js'

const secret = '3f0e5a5e-96d1-4f0b-a2ed-6c1f0c1a7b11'
const values = {
  'proxmox.token': `ichor@pve!dev=${secret}`,
  'proxmox_csi.token_id': 'csi@pve!ichor',
  'proxmox_csi.token_secret': '11111111-2222-3333-4444-555555555555',
  'backup.secret_key': 'the-key-of-the-bucket',
  renamed: secret,
  logs_password: 'the password of the logs',
}
const environment = {
  PROXMOX_TOKEN_SECRET: secret,
  PVE_TOKEN: secret,
  BACKUP_ACCESS_KEY: 'AKIAOFTHEBACKUPS',
  BACKUP_SECRET_KEY: 'the-key-of-the-bucket',
  AWS_SECRET_ACCESS_KEY: 'another-key-of-a-bucket',
  GITHUB_TOKEN: 'ghs_ofthepipeline',
  CI_JOB_TOKEN: 'glcbt-ofthejob',
  VAULT_TOKEN: 'hvs.ofthevault',
  COPY_OF_TOKEN: secret,
  COPY_OF_VAULT: 'hvs.ofthevault',
  COPY_OF_KEY: 'the-key-of-the-bucket',
  LOGS_PASSWORD: 'the password of the logs',
}

let folder: string
let outside: string
let env: Record<string, string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-secrets-of-'))
  outside = await mkdtemp(join(tmpdir(), 'ichor-outside-'))
  env = { ...environment }
  await write('pve.token', `ichor@pve!dev=${secret}\n`)
  await write('logs.txt', 'the password of the logs\n')
  await write('secrets.yaml', 'cluster:\n  id: a\ntrustdinfo:\n  token: abc.def\n')
  await write('client.yaml', 'users:\n- user:\n    client-key-data: abc\n')
  await write('.git/config', 'extraheader = AUTHORIZATION: basic abc\n')
  await writeFile(join(outside, 'hook'), 'the password of the logs\n')
  await symlink(join(outside, 'hook'), join(folder, 'link.txt'))
})
afterEach(() => Promise.all([folder, outside].map((path) => rm(path, { recursive: true, force: true }))))

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}

async function anInventory(more: string) {
  const proxmox =
    'endpoint: "https://pve1.lan:8006", token_id: "ichor@pve!dev", token_secret: "env:PROXMOX_TOKEN_SECRET"'
  const backup = 'access_key: "env:BACKUP_ACCESS_KEY", secret_key: "env:BACKUP_SECRET_KEY", store: "s3://snapshots"'
  const network = '{ cidr: 10.0.10.0/24, gateway: 10.0.10.1 }'
  const settings = `cluster_name: dev\nnetwork: ${network}\nproxmox: { ${proxmox} }\nbackup: { etcd: { ${backup} } }\n`
  await write('cluster.yaml', `${settings}${more}\n`)
  return loadInventory(folder, { env: {} })
}

const memory = { bootstrapped: false, sealed: true, values }
const secrets = { find: async () => ({ bundle: aBundle(), memory }), settleAddon: async () => {} }
const required: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vector: { elasticsearch: 'https://elsewhere.example', elasticsearch_user: 'ichor' },
  flux: { repository: 'https://elsewhere.example/fleet.git' },
  argocd: { repository: 'https://elsewhere.example/fleet.git' },
}

/** The objects that an addon would put into the cluster, or why it is refused. */
async function install(addon: string, option: string, reference: string): Promise<string> {
  const settings = JSON.stringify({ ...required[addon], [option]: reference })
  const inventory = await anInventory(`addons: { ${addon}: ${settings} }`)
  return loadSpec(inventory, { env, world: { secrets }, isLab: false }).then(
    ({ addons }) => JSON.stringify(addons),
    (thrown: UsageError) => `refused: ${thrown.message} ${thrown.fix}`,
  )
}

/** The addresses that watch would call with these references, or why it calls none. */
async function webhooks(reference: string): Promise<string> {
  const inventory = await anInventory(`observability: { webhooks: [{ url: "${reference}" }] }`)
  return webhooksOf(inventory, { env, values, isLab: false }).then(
    (found) => JSON.stringify(found),
    (thrown: UsageError) => `refused: ${thrown.message} ${thrown.fix}`,
  )
}

const options = catalogue.flatMap(({ name, options: known }) =>
  Object.entries(known).flatMap(([option, { kind }]) => (kind === 'secret' ? [{ addon: name, option }] : [])),
)

test('no secret of an addon is missing here', () => {
  expect(options.map(({ addon, option }) => `${addon}.${option}`).toSorted()).toEqual([
    'argocd.key',
    'flux.key',
    'vector.elasticsearch_password',
  ])
})

const foreign = [
  'env:PROXMOX_TOKEN_SECRET',
  'env:PVE_TOKEN',
  'env:BACKUP_SECRET_KEY',
  'env:AWS_SECRET_ACCESS_KEY',
  'env:GITHUB_TOKEN',
  'env:CI_JOB_TOKEN',
  'env:VAULT_TOKEN',
  'env:COPY_OF_TOKEN',
  'env:COPY_OF_VAULT',
  'env:COPY_OF_KEY',
  'secret:proxmox.token',
  'secret:proxmox_csi.token_id',
  'secret:proxmox_csi.token_secret',
  'secret:backup.secret_key',
  'secret:renamed',
  'file:pve.token',
  'file:secrets.yaml',
  'file:client.yaml',
  'file:.git/config',
  'file:link.txt',
  'file:../anything',
  'file:~/.ssh/id_ed25519',
  'file:/etc/hostname',
]

test.each(options.flatMap((option) => foreign.map((reference) => ({ ...option, reference }))))(
  'the secret $option of $addon is not $reference',
  async ({ addon, option, reference }) => {
    const found = await install(addon, option, reference)
    expect(found).toMatch(/^refused: /)
    for (const value of [secret, ...Object.values(values), ...Object.values(environment)]) {
      expect(found).not.toContain(value)
    }
  },
)

test.each(foreign)('no webhook is called with %s', async (reference) => {
  expect(await webhooks(reference)).toMatch(/^refused: /)
})

test.each(['env:LOGS_PASSWORD', 'secret:logs_password', 'file:logs.txt'])(
  'a secret of their own behind %s is given to an addon and to watch',
  async (reference) => {
    const given = Buffer.from('the password of the logs').toString('base64')
    expect(await install('vector', 'elasticsearch_password', reference)).toContain(given)
    expect(await webhooks(reference)).toContain('the password of the logs')
  },
)

test('a file outside the folder of the inventory is read if the environment names its folder', async () => {
  const reference = `file:${outside}/hook`
  expect(await webhooks(reference)).toContain('ICHOR_SECRETS_FROM')
  env.ICHOR_SECRETS_FROM = `/nowhere:${outside}`
  expect(await webhooks(reference)).toContain('the password of the logs')
  expect(await webhooks('file:link.txt')).toContain('the password of the logs')
})

test.each(['proxmox_ccm', 'proxmox_csi'])('values of %s do not change where its token is sent', async (addon) => {
  const clusters = [{ url: 'https://elsewhere.example:8006/api2/json' }]
  for (const [key, value] of Object.entries({
    'config.clusters': { config: { clusters } },
    hostAliases: { hostAliases: [{ ip: '203.0.113.1', hostnames: ['pve1.lan'] }] },
  })) {
    const asked = anInventory(`addons: { ${addon}: { values: ${JSON.stringify(value)} } }`)
    await expect(asked).rejects.toThrow(`addons.${addon}.values.${key}`)
  }
  await anInventory(`addons: { ${addon}: { values: { config: { features: { provider: default } } } } }`)
})
