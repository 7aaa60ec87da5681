import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hostsFile, recallHosts } from './proxmox-hosts.js'

const hosts = [{ address: '10.0.10.2', port: 8006, sha256: 'AA:BB' }]
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-hosts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('what one run learned of a cluster, the next one knows; of another cluster it knows nothing', async () => {
  const file = hostsFile(folder, false)
  await (await recallHosts(file, 'https://pve1:8006')).remember(hosts)
  expect((await recallHosts(file, 'https://pve1:8006')).hosts).toEqual(hosts)
  expect((await recallHosts(file, 'https://other:8006')).hosts).toEqual([])
  expect((await recallHosts(hostsFile(folder, true), 'https://pve1:8006')).hosts).toEqual([])
})

test.each([
  ['{', []],
  ['[]', []],
  ['{"cluster":"c","hosts":[null,{"address":"10.0.10.2","port":"8006"}]}', []],
])('a file with %s in it stops nobody', async (text, expected) => {
  await writeFile(join(folder, 'hosts.json'), text)
  expect((await recallHosts(join(folder, 'hosts.json'), 'c')).hosts).toEqual(expected)
})

test('where nothing can be written nothing is remembered, and nothing fails', async () => {
  await writeFile(join(folder, '.ichor'), 'a file in the way')
  const file = hostsFile(folder, false)
  await (await recallHosts(file, 'c')).remember(hosts)
  expect((await recallHosts(file, 'c')).hosts).toEqual([])
})
