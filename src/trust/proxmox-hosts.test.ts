import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recallHosts } from './proxmox-hosts.js'
import { stateFile, stateFolders } from './state-folder.js'

const hosts = [{ address: '10.0.10.2', port: 8006, sha256: 'AA:BB' }]
const pinned = { endpoints: ['https://pve1:8006'], trust: { kind: 'fingerprint', sha256: '11:22' } } as const
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-hosts-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const hostsFile = () => stateFile([folder], 'hosts.json')

test.each([
  { story: 'another endpoint', source: { ...pinned, endpoints: ['https://other:8006'] } },
  { story: 'another pin', source: { ...pinned, trust: { kind: 'fingerprint', sha256: '33:44' } as const } },
  { story: 'an authority in place of the pin', source: { ...pinned, trust: { kind: 'ca', pem: 'x' } as const } },
])('what one run learned, the next one knows; with $story it knows nothing', async ({ source }) => {
  await (await recallHosts(hostsFile(), pinned)).remember(hosts)
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual(hosts)
  expect((await recallHosts(hostsFile(), source)).hosts).toEqual([])
})

test('a committed file is not trusted', async () => {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init')
  await (await recallHosts(hostsFile(), pinned)).remember(hosts)
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual(hosts)
  git('add', 'hosts.json')
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual([])
})

test.each([
  ['git is missing', async () => void vi.stubEnv('PATH', folder)],
  ['git fails', () => writeFile(join(folder, '.git/index'), 'damaged')],
  ['git does not know its repository', () => rm(join(folder, '.git/HEAD'))],
])('where a file may be committed and %s, it is not trusted', async (_, damage) => {
  execFileSync('git', ['-C', folder, 'init'], { stdio: 'ignore' })
  await (await recallHosts(hostsFile(), pinned)).remember(hosts)
  await damage()
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual([])
})

test('outside of repositories git is not needed', async () => {
  await (await recallHosts(hostsFile(), pinned)).remember(hosts)
  vi.stubEnv('PATH', folder)
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual(hosts)
})

test.each([
  '{',
  '[]',
  '{"endpoints":"https://pve1:8006","pin":"11:22","hosts":[null,{"address":"10.0.10.2","port":"8006"}]}',
])('a file with %s in it stops nobody', async (text) => {
  await writeFile(join(folder, 'hosts.json'), text)
  expect((await recallHosts(hostsFile(), pinned)).hosts).toEqual([])
})

test('where nothing can be written nothing is remembered, and nothing fails', async () => {
  await writeFile(join(folder, 'state'), 'a file in the way')
  const file = stateFile([join(folder, 'state')], 'hosts.json')
  await (await recallHosts(file, pinned)).remember(hosts)
  await (await recallHosts(stateFile([], 'hosts.json'), pinned)).remember(hosts)
  expect((await recallHosts(file, pinned)).hosts).toEqual([])
})

test.each([
  ['linux', { XDG_STATE_HOME: '/state', HOME: '/h' }, 'ab12', '/state/ichor/ab12'],
  ['linux', { HOME: '/h' }, 'ab12', '/h/.local/state/ichor/ab12'],
  ['darwin', { HOME: '/h' }, 'ab12', '/h/.local/state/ichor/ab12'],
  ['linux', {}, 'ab12', undefined],
] as const)('on %s with %j the state of cluster %s lies in %s', (platform, env, clusterId, expected) => {
  expect(stateFolders({ folder: '/inventory/dev', clusterId }, env, platform)[0]).toBe(expected)
})

test('before a cluster has an id, its state goes by the place of its inventory, and is found there afterwards', async () => {
  const at = (place: string, clusterId?: string) => stateFolders({ folder: place, clusterId }, { HOME: folder })
  expect(at('/inventory/dev')[0]).toMatch(/\/\.local\/state\/ichor\/folder-[0-9a-f]{16}$/)
  expect(at('/inventory/dev')).not.toEqual(at('/inventory/prod'))
  await (await recallHosts(stateFile(at('/inventory/dev'), 'hosts.json'), pinned)).remember(hosts)
  const later = stateFile(at('/inventory/dev', 'ab12'), 'hosts.json')
  expect((await recallHosts(later, pinned)).hosts).toEqual(hosts)
})

test('nothing that is learned lies beside the inventory', async () => {
  const inventory = join(folder, 'inventory')
  await mkdir(inventory)
  const place = stateFolders({ folder: inventory, clusterId: undefined }, { HOME: folder })
  await (await recallHosts(stateFile(place, 'hosts.json'), pinned)).remember(hosts)
  expect(await readdir(inventory)).toEqual([])
})
