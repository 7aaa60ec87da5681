import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChartRepository } from '../../tests/support/chart-repository.js'
import { openClusterLock } from '../secrets/cluster-lock.js'
import { chartUrl } from './chart-url.js'
import { findPinnedDigests, writePinnedDigests } from './lock-file.js'
import { manifestDigest } from './manifest-digest.js'
import { lockDifferences, refuseChangedArtifacts } from './refuse-changed-artifacts.js'

const hex = (text: string) => createHash('sha256').update(text).digest('hex')
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('digests stand in the lock file beside the id of the cluster, and comments stay', async () => {
  expect(await findPinnedDigests(folder, false)).toBeUndefined()
  await openClusterLock(folder, false).bind('abc')
  expect(await findPinnedDigests(folder, false)).toBeUndefined()
  const digests = { images: { a: hex('a') }, installers: {}, charts: { 'oci://x/y:1': hex('y') } }
  const path = await writePinnedDigests(folder, false, digests)
  await writeFile(path, `${await readFile(path, 'utf8')}# ours\n`)
  await writePinnedDigests(folder, false, digests)
  const text = await readFile(path, 'utf8')
  expect(text).toContain('cluster_id: abc')
  expect(text).toContain(`oci://x/y:1: sha256:${hex('y')}`)
  expect(text).toContain('# ours')
  expect(await findPinnedDigests(folder, false)).toEqual(digests)
  await openClusterLock(folder, false).release()
  expect(await findPinnedDigests(folder, false)).toEqual(digests)
})

test('added, removed and changed entries are distinguished, and only harmful ones are refused', () => {
  const wanted = [
    { kind: 'charts' as const, name: 'a' },
    { kind: 'charts' as const, name: 'b' },
    { kind: 'charts' as const, name: 'c' },
  ]
  const locked = { images: { old: hex('o') }, installers: {}, charts: { a: hex('a'), b: hex('b') } }
  const differences = lockDifferences(wanted, locked, new Map([['a', hex('other')]]))
  expect(differences.map(({ name, difference }) => `${name} ${difference}`)).toEqual([
    'a changed',
    'c unlocked',
    'old unused',
  ])
  expect(() => refuseChangedArtifacts(differences, 'ichor.lock.yaml')).toThrow(
    'a does not match the lock file. c is not in the lock file.',
  )
  expect(() => refuseChangedArtifacts(lockDifferences([], locked, new Map()), 'x')).not.toThrow()
})

test.each([
  ['41.3.0', 'traefik-41.3.0.tgz', 'https://charts.example/repo/traefik-41.3.0.tgz'],
  ['v41.3.0', 'https://cdn.example/t.tgz', 'https://cdn.example/t.tgz'],
])('the archive of %s is found in an index', (version, url, found) => {
  const index = `entries:\n  traefik:\n    - { version: 40.0.0, urls: [x] }\n    - { version: 41.3.0, urls: ["${url}"] }\n`
  expect(chartUrl(index, { base: 'https://charts.example/repo', chart: 'traefik', version })).toBe(found)
  expect(() => chartUrl(index, { base: 'https://x', chart: 'traefik', version: '1.0.0' })).toThrow(
    'its index has no traefik 1.0.0',
  )
})

test('the digest of a manifest is requested with an anonymous pull token', async () => {
  const registry = await startChartRepository({ '/v2/charts/cilium/manifests/1.19.6': '{"schemaVersion":2}' })
  try {
    expect(await manifestDigest(`${registry.host}/charts/cilium:1.19.6`)).toBe(hex('{"schemaVersion":2}'))
    await expect(manifestDigest(`${registry.host}/charts/cilium:1.0.0`)).rejects.toThrow('the registry answered 404')
  } finally {
    await registry.close()
  }
})
