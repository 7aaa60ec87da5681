import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkInventory, InventoryError, loadInventories, loadInventory } from './index.js'
import { withNetwork } from './inventory.js'
import { resolveSecretRef } from './resolve-secret.js'

const verbatim = join(import.meta.dirname, 'testdata/verbatim')
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-inventory-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

async function complaintAbout(path: string): Promise<string> {
  const [problem] = await checkInventory(path)
  return `${problem?.message} ${problem?.fix}`
}

const smallest = 'cluster_name: dev\nnetwork:\n  cidr: 10.0.10.0/24\n'

test('the verbatim pair of files loads, with a prefix and gateway that the bridge reports later', async () => {
  const inventory = await loadInventory(verbatim, { env: {} })
  expect(inventory.machines.map(({ name, role, nics }) => [name, role, nics[0].addresses])).toEqual([
    ['dev-cp-1', 'controlplane', ['10.0.10.11']],
    ['dev-wk-1', 'worker', ['10.0.10.21']],
  ])
  const complete = withNetwork(inventory, { prefix: 24, gateway: '10.0.10.1' })
  expect(complete.machines[0]?.nics[0]).toMatchObject({ addresses: ['10.0.10.11/24'], gateway: '10.0.10.1' })
})

test('an inventory reports where a spec is written, in whichever of its files', async () => {
  const { where } = await loadInventory(verbatim, { env: {} })
  expect(where('proxmox.node')).toMatch(/verbatim\/cluster\.yaml:8:9 {2}\(proxmox\.node\)$/)
  expect(where('workers[0].ram')).toMatch(/verbatim\/nodes\.yaml:11:10 {2}\(workers\[0\]\.ram\)$/)
  expect(where('network.vip')).toMatch(/verbatim\/cluster\.yaml:5:3 {2}\(network\.vip\)$/)
})

test('a file, a folder and a folder of folders are all inventories', async () => {
  await write('dev/cluster.yaml', smallest)
  await write('prod/cluster.yml', smallest.replace('dev', 'prod'))
  await write('prod/notes.txt', 'not an inventory')
  const names = async (...paths: string[]) =>
    (await loadInventories(paths, { env: {} })).map(({ settings }) => settings.cluster_name)
  expect(await names(folder)).toEqual(['dev', 'prod'])
  expect(await names(join(folder, 'prod'), join(folder, 'dev/cluster.yaml'))).toEqual(['prod', 'dev'])
  await expect(loadInventory(folder, { env: {} })).rejects.toThrow('holds several environments: dev, prod.')
})

test('the environment is named by the folder unless the inventory names it', async () => {
  await write('staging/cluster.yaml', smallest)
  const path = join(folder, 'staging')
  expect((await loadInventory(path, { env: {} })).environment).toBe('staging')
  await write('staging/cluster.yaml', `${smallest}environment: qa\n`)
  expect((await loadInventory(path, { env: {} })).environment).toBe('qa')
})

test('endpoint and token come from the process environment where the file is silent', async () => {
  await write('cluster.yaml', smallest)
  const env = { PROXMOX_VE_ENDPOINT: 'https://pve1:8006/api2/json', PROXMOX_VE_API_TOKEN: 'ichor@pve!dev=s3cret' }
  const { settings } = await loadInventory(folder, { env })
  expect(settings.proxmox).toMatchObject({ endpoints: ['https://pve1:8006'], token_id: 'ichor@pve!dev' })
  const ref = settings.proxmox.token_secret
  expect(ref && (await resolveSecretRef(ref, { env, folder, values: {}, use: 'proxmox-token' }))).toBe('s3cret')
  expect(JSON.stringify(settings)).not.toContain('s3cret')
})

test.each([
  [{ PROXMOX_VE_ENDPOINT: 'http://pve1' }, '"http://pve1" is not the https address of a Proxmox host.'],
  [
    { PROXMOX_VE_API_TOKEN: 's3cret' },
    'The API token in PROXMOX_VE_API_TOKEN has not the form user@realm!name=secret.',
  ],
])('a variable that cannot be used is reported, and never a secret with it', async (env, message) => {
  await write('cluster.yaml', smallest)
  await expect(loadInventory(folder, { env })).rejects.toThrow(message)
  await write('cluster.yaml', `${smallest}proxmox:\n  endpoint: https://pve1\n  token_secret: env:MINE\n`)
  expect((await loadInventory(folder, { env })).settings.proxmox.endpoints).toEqual(['https://pve1:8006'])
})

test('a plain secret is accepted with a warning and is never printed with the settings', async () => {
  await write('cluster.yaml', `${smallest}proxmox:\n  token_secret: s3cret\n`)
  const { settings, warnings } = await loadInventory(folder, { env: {} })
  expect(warnings.map(({ message }) => message)).toEqual([
    'proxmox.token_secret is written in plain text, and version control would keep it forever.',
  ])
  expect(JSON.stringify(settings)).not.toContain('s3cret')
})

test.each([
  ['git@git.example.com:fleet.git', ['Flux needs the host keys of the SSH server.']],
  ['https://git.example.com/fleet.git', []],
])('a repository %s of Flux gives the warnings %j', async (repository, expected) => {
  await write('cluster.yaml', `${smallest}addons:\n  flux: { repository: "${repository}" }\n`)
  const { warnings } = await loadInventory(folder, { env: {} })
  expect(warnings.map(({ message }) => message)).toEqual(expected)
})

test.each([
  ['env:PVE_TOKEN', 'from-env'],
  ['file:token.txt', 'from-file'],
  ['secret:token', 'from-secrets'],
])('a secret behind %s is %s', async (text, value) => {
  await write('token.txt', 'from-file\n')
  await write('cluster.yaml', `${smallest}proxmox:\n  token_secret: ${text}\n`)
  const { settings, warnings } = await loadInventory(folder, { env: {} })
  const ref = settings.proxmox.token_secret
  const env = { PVE_TOKEN: 'from-env' }
  const sources = { env, folder, values: { token: 'from-secrets' }, use: 'proxmox-token' as const }
  expect(ref && (await resolveSecretRef(ref, sources))).toBe(value)
  expect(warnings).toEqual([])
})

test('a secret that is not there is named by its reference', async () => {
  const sources = { env: {}, folder, values: {}, use: 'proxmox-token' as const }
  await expect(resolveSecretRef({ kind: 'env', name: 'PVE_TOKEN' }, sources)).rejects.toMatchObject({
    where: 'env:PVE_TOKEN',
    fix: 'Set the environment variable PVE_TOKEN.',
  })
})

test('all complaints of all environments come at once, each with file, line, column and an excerpt', async () => {
  await write('one/cluster.yaml', 'cluster_name: One\nnetwork:\n  cidr: 10.0.10.0/24\n  vip: 10.0.11.1\n')
  await write('two/cluster.yaml', `${smallest}worker_count: -1\n`)
  const error = await loadInventories([folder], { env: {} }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(InventoryError)
  const { problems, exitCode } = error as InventoryError
  expect(exitCode).toBe(2)
  expect(problems.map(({ file, line, column, path }) => [file.slice(-16), line, column, path])).toEqual([
    ['one/cluster.yaml', 1, 15, 'cluster_name'],
    ['one/cluster.yaml', 4, 8, 'network.vip'],
    ['two/cluster.yaml', 4, 15, 'worker_count'],
  ])
  expect(problems[2]?.excerpt).toBe('4 | worker_count: -1\n  |               ^')
})

test('nodes stand in one of the two files, and nodes.yaml holds nothing else', async () => {
  await write('cluster.yaml', `${smallest}workers: []\n`)
  await write('nodes.yaml', 'workers:\n  - name: w\nvm: {}\n')
  const problems = await checkInventory(folder)
  expect(problems.map(({ file, line, message }) => [file.slice(-10), line, message])).toEqual([
    ['nodes.yaml', 1, 'workers is set both in cluster.yaml and in nodes.yaml.'],
    ['nodes.yaml', 3, 'nodes.yaml holds controlplane and workers, and not vm.'],
  ])
})

test('a folder without an inventory', async () => {
  expect(await complaintAbout(folder)).toMatch(/^The folder .* holds no inventory\. Name a folder with a cluster\.yaml/)
})

test('a path that leads nowhere', async () => {
  expect(await complaintAbout(join(folder, 'none'))).toMatch(/^There is no .*none\. Name the inventory with -i/)
})

test('a symlink loop', async () => {
  await symlink('cluster.yaml', join(folder, 'cluster.yaml'))
  expect(await complaintAbout(folder)).toMatch(/cluster\.yaml is a circular symbolic link\./)
})

test('a folder in the place of the file', async () => {
  await mkdir(join(folder, 'cluster.yaml'))
  expect(await complaintAbout(folder)).toMatch(/cluster\.yaml is a folder, not a file\./)
})

test('no permission to read', async () => {
  await chmod(folder, 0o755)
  await chmod(await write('cluster.yaml', smallest), 0o000)
  const isRoot = process.getuid?.() === 0
  if (isRoot) process.seteuid?.('nobody') // root may read everything
  try {
    expect(await complaintAbout(folder)).toMatch(/cluster\.yaml may not be read by this user\. Give yourself the right/)
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
})

test.each([
  ['UTF-16', Buffer.from(`\ufeff${smallest}`, 'utf16le'), 'is not written in UTF-8, but in UTF-16.'],
  ['Latin-1', Buffer.from('cluster_name: M\u00fcller\n', 'latin1'), 'is not written in UTF-8.'],
  ['bytes of no text', Buffer.from([0, 1, 2, 3]), 'is not written in UTF-8.'],
])('a file in %s', async (_, bytes, message) => {
  await write('cluster.yaml', bytes)
  expect(await complaintAbout(folder)).toContain(message)
})

test('UTF-8 with a byte order mark is fine', async () => {
  await write('cluster.yaml', `\ufeff${smallest}`)
  expect(await checkInventory(folder)).toEqual([])
})

test('an alias bomb ends at once with a complaint', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`,
  )
  await write('cluster.yaml', `l0: &l0 x\n${levels.join('\n')}\n${smallest}`)
  expect(await complaintAbout(folder)).toMatch(/^The aliases of this file expand to more than 100000 values/)
})

test('firewall.network_policies asks for the addon, whose own key says more', async () => {
  const walled = `${smallest}firewall: { enabled: true, admin_networks: 10.9.0.0/16, network_policies: true }\n`
  const plain = await loadInventory(await write('one/cluster.yaml', `${walled}addons: { cilium: true }\n`), { env: {} })
  expect(plain.settings.addons.network_policies).toMatchObject({ namespaces: ['default'] })
  const more = `${walled}addons: { cilium: true, network_policies: { namespaces: [shop] } }\n`
  const own = await loadInventory(await write('two/cluster.yaml', more), { env: {} })
  expect(own.settings.addons.network_policies).toMatchObject({ namespaces: ['shop'] })
})

test.each([
  ['a worker with a data disk', 'workers: [{ name: w, disks: [{ size: 5G }] }]', []],
  ['a worker without one', 'worker_count: 1', ['backup.machines backs up nothing: no worker has a data disk']],
])('backups of machines with %s', async (_, workers, expected) => {
  const job = 'backup: { machines: { schedule: daily, datastore: pbs } }'
  await write('cluster.yaml', `${smallest}${workers}\n${job}\n`)
  const { warnings } = await loadInventory(folder, { env: {} })
  expect(warnings.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)))
})
