import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SecretsFile } from '../secrets/bundle.js'
import { formatDrill } from './drill-result.js'
import { createFolderStore } from './folder-store.js'
import { listSnapshots } from './list-snapshots.js'
import { planPrune, prune } from './prune.js'
import { objectsOf } from './snapshot-name.js'
import { takeSnapshot } from './take-snapshot.js'
import { inParts, realSnapshot, someFacts, someSecrets } from './testing.js'

const { signal } = new AbortController()
const now = Date.parse('2026-11-15T12:00:00Z')
const day = 24 * 3600_000
let folder: string
let secrets: SecretsFile
let recipient: string
beforeAll(async () => {
  recipient = await identityToRecipient(await generateX25519Identity())
  secrets = { ...(await someSecrets()), recipients: [recipient] }
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-prune-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function take(daysAgo: number, by = secrets): Promise<string> {
  const input = { facts: someFacts, secrets: by, recipients: [recipient], from: 'x', stream: inParts(realSnapshot()) }
  const takenAt = new Date(now - daysAgo * day)
  return (await takeSnapshot({ ...input, store: createFolderStore(folder), takenAt }, signal)).name
}

async function pruned(last: number) {
  const store = createFolderStore(folder)
  const listing = await listSnapshots(store, { cluster: 'dev', bundle: secrets.bundle }, signal)
  const retention = { last, daily: 0, weekly: 0, monthly: 0 }
  const plan = planPrune({ cluster: 'dev', listing, retention, timeZone: 'UTC', now })
  await prune(store, plan, now, signal)
  return plan
}

test('old ones go with all their objects; the last drilled one stays', async () => {
  const [drilled, old, newest] = [await take(5), await take(3), await take(1)]
  const proof = {
    version: 1,
    at: new Date(now).toISOString(),
    outcome: 'passed',
    offline: true,
    recovery_ms: 1,
    expected: {},
    found: {},
    missing: {},
  } as const
  await writeFile(join(folder, objectsOf(drilled).drill), formatDrill(proof, drilled, secrets.bundle))
  expect(await pruned(1)).toEqual({
    removed: [old],
    kept: [
      { name: newest, because: 'last' },
      { name: drilled, because: 'last drilled' },
    ],
    unfinished: [],
  })
  expect((await readdir(folder)).some((file) => file.startsWith(old))).toBe(false)
  expect(await readdir(folder)).toHaveLength(7)
})

test('a damaged or foreign snapshot does not take the place of a good one', async () => {
  const good = await take(5)
  const foreign = await take(2, { ...secrets, bundle: { ...secrets.bundle, cluster: { id: 'x', secret: 'y' } } })
  const damaged = await take(1)
  await writeFile(join(folder, objectsOf(damaged).etcd), 'half')
  const { removed, kept } = await pruned(1)
  expect(removed).toEqual([])
  expect(kept.map(({ name, because }) => [name, because.slice(0, 8)])).toEqual([
    [good, 'last'],
    [foreign, 'it belon'],
    [damaged, 'its data'],
  ])
})

test('data without a manifest goes after a day, files of others never', async () => {
  await take(1)
  const files = [
    'dev-20261101T000000Z-00000000.etcd.age',
    'dev-20261115T110000Z-00000000.etcd.age',
    'dev-2-20261101T000000Z-00000000.etcd.age',
    'notes.txt',
    '.ichor-0123456789ab.tmp',
  ]
  for (const file of files) {
    await writeFile(join(folder, file), 'x')
    const at = new Date(file.includes('20261115') ? now - 3600_000 : now - 2 * day)
    await utimes(join(folder, file), at, at)
  }
  expect((await pruned(1)).unfinished).toEqual([files[0]])
  const left = await readdir(folder)
  expect(files.map((file) => left.includes(file))).toEqual([false, true, true, true, false])
})
