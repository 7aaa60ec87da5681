import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { clusterMarkId } from '../cluster/identity.js'
import { bindStore } from './bound-store.js'
import type { SecretsBundle } from './bundle.js'
import { openClusterLock } from './cluster-lock.js'
import { generateBundle } from './generate.js'
import { openSecretsStore } from './store.js'

let bundle: SecretsBundle
let other: SecretsBundle
let folder: string
beforeAll(async () => {
  bundle = await generateBundle('v1.6')
  other = await generateBundle('v1.6')
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

const fileOf = (one: SecretsBundle) => ({
  bundle: one,
  memory: { bootstrapped: false, contract: 'v1.6', values: {} },
})
const bare = () => openSecretsStore({ folder, env: { HOME: folder }, notify: () => {} })
const bound = (isLab = false) => bindStore(bare(), openClusterLock(folder, isLab))
const lockPath = () => join(folder, 'ichor.lock.yaml')

test('new secrets are written down by the id of their cluster, which is no secret, for git to keep', async () => {
  await bound().create(fileOf(bundle))
  const text = await readFile(lockPath(), 'utf8')
  expect(text).toContain(`version: 1\ncluster_id: ${clusterMarkId(bundle.cluster.id)}\n`)
  expect(text).not.toContain(bundle.cluster.id)
  expect((await stat(lockPath())).mode & 0o777).toBe(0o644)
  expect(await bound().find()).toMatchObject(fileOf(bundle))
})

test('a secrets file that was replaced as a whole is refused, although its keys open it', async () => {
  await bound().create(fileOf(bundle))
  await bare().remove()
  await bare().create(fileOf(other))
  const refused = { message: expect.stringContaining('this folder is bound to cluster'), exitCode: 3 }
  await expect(bound().find()).rejects.toMatchObject(refused)
  await expect(bound().remember({ bootstrapped: true })).rejects.toMatchObject(refused)
})

test('other secrets cannot be made for a folder that is bound', async () => {
  await bound().create(fileOf(bundle))
  await bare().remove()
  await expect(bound().create(fileOf(other))).rejects.toThrow('this folder is bound to cluster')
  expect(await readdir(folder)).not.toContain('secrets.sops.yaml')
})

test('secrets of before are bound when something is remembered in them', async () => {
  await bare().create(fileOf(bundle))
  await bound().find()
  await expect(stat(lockPath())).rejects.toThrow()
  await bound().remember({ bootstrapped: true })
  expect(await openClusterLock(folder, false).find()).toBe(clusterMarkId(bundle.cluster.id))
})

test('with the secrets the binding goes, and what else the lock holds stays', async () => {
  await bound().create(fileOf(bundle))
  await bound().remove()
  expect(await readdir(folder)).not.toContain('ichor.lock.yaml')
  await bound().create(fileOf(bundle))
  await writeFile(lockPath(), `${await readFile(lockPath(), 'utf8')}charts: { cilium: sha256-abc } # mine\n`)
  await bound().remove()
  expect(await readFile(lockPath(), 'utf8')).toContain('charts: { cilium: sha256-abc } # mine')
})

test.each(['{', 'version: 2\n', 'text'])('a lock with %j in it is reported for what it is', async (text) => {
  await writeFile(lockPath(), text)
  await expect(bound().create(fileOf(bundle))).rejects.toMatchObject({ where: lockPath() })
})

test.each([
  '../../elsewhere',
  '/etc',
  'AB12cd34ef56ab78',
  'ab12',
  '"ab12cd34ef56ab78\\n"',
  '{ a: b }',
  '1234567890123456',
])('a lock whose cluster_id is %s, which ichor did not write, leads nowhere', async (id) => {
  await writeFile(lockPath(), `version: 1\ncluster_id: ${id}\n`)
  await expect(openClusterLock(folder, false).find()).rejects.toMatchObject({
    where: lockPath(),
    message: expect.stringContaining('cluster_id'),
  })
})

test('the lab of an inventory has a lock of its own', async () => {
  await bound(true).create(fileOf(other))
  await expect(bound().find()).resolves.toBeDefined()
  expect(await readdir(folder)).toContain('ichor.lab.lock.yaml')
})
