import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { namesFrom } from './completion-names.js'
import type { NameKind } from './frame/proposals.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-completion-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const inventory = `cluster_name: dev
control_plane_count: 1
worker_count: 2
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
proxmox: { target_nodes: [pve1, pve2], datastore: local-lvm }
addons: { metrics_server: true }
`
const snapshot = 'dev-20260101T000000Z-0123abcd'

test.each<{ kind: NameKind; words: string[] }>([
  { kind: 'machine', words: ['dev-cp-1', 'dev-wk-1', 'dev-wk-2'] },
  { kind: 'host', words: ['pve1', 'pve2'] },
  { kind: 'pool', words: ['controlplane', 'workers'] },
  { kind: 'size', words: ['control_planes=1', 'workers=2'] },
  { kind: 'addon', words: ['metrics_server'] },
  { kind: 'snapshot', words: [snapshot] },
])('names of each $kind come from the inventory', async ({ kind, words }) => {
  await writeFile(join(folder, 'cluster.yaml'), inventory)
  await mkdir(join(folder, 'backups'))
  await writeFile(join(folder, 'backups', `${snapshot}.json`), '{}')
  await writeFile(join(folder, 'backups', `${snapshot}.etcd.age`), '')
  const found = await namesFrom({ cwd: folder, env: {} })(kind, ['-i', 'cluster.yaml', ''])
  expect(found.map(({ word }) => word)).toEqual(words)
})

test('without an inventory, or with a broken one, there are no names and no error', async () => {
  expect(await namesFrom({ cwd: folder, env: {} })('machine', [''])).toEqual([])
  await writeFile(join(folder, 'cluster.yaml'), 'cluster_name: [')
  expect(await namesFrom({ cwd: folder, env: {} })('machine', [''])).toEqual([])
})
