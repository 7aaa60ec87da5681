import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SecretsFile } from '../secrets/bundle.js'
import { parseSecretsFile } from '../secrets/bundle-file.js'
import { bytesOf } from './byte-source.js'
import { formatDrill } from './drill-result.js'
import { createFolderStore } from './folder-store.js'
import { listSnapshots } from './list-snapshots.js'
import { formatManifest, isSealedBy, parseManifest, sealManifest } from './manifest.js'
import { openSnapshot } from './open-snapshot.js'
import { objectsOf } from './snapshot-name.js'
import type { SnapshotStore } from './store.js'
import { takeSnapshot } from './take-snapshot.js'
import { aFlippedBit, inParts, realSnapshot, someFacts, someSecrets } from './testing.js'

const { signal } = new AbortController()
let folder: string
let store: SnapshotStore
let identity: string
let secrets: SecretsFile
beforeAll(async () => {
  secrets = await someSecrets()
})
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'ichor-backup-')), 'backups')
  store = createFolderStore(folder)
  identity = await generateX25519Identity()
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

const takenAt = new Date('2026-11-15T12:00:00Z')

async function take(stream: AsyncIterable<Uint8Array> = inParts(realSnapshot()), into = store) {
  const recipients = [await identityToRecipient(identity)]
  return takeFor({ recipients, ofSecrets: recipients }, stream, into)
}

function takeFor(
  { recipients, ofSecrets }: { readonly recipients: string[]; readonly ofSecrets?: string[] },
  stream: AsyncIterable<Uint8Array> = inParts(realSnapshot()),
  into = store,
) {
  const file = ofSecrets === undefined ? secrets : { ...secrets, recipients: ofSecrets }
  const input = { store: into, stream, from: 'dev-cp-1', facts: someFacts, secrets: file, recipients, takenAt }
  return takeSnapshot(input, signal)
}

/** The secrets in a snapshot, as this key opens them. */
async function secretsOf({ name }: { readonly name: string }, key: string) {
  const decrypter = new Decrypter()
  decrypter.addIdentity(key)
  return decrypter.decrypt(await readFile(join(folder, objectsOf(name).secrets)), 'text')
}

test('what was saved is what comes back, secrets included', async () => {
  const manifest = await take()
  expect(manifest).toMatchObject({ cluster: 'dev', revision: 5, size: 49_184, keys: { '/registry/pods/': 5 } })
  expect(isSealedBy(manifest, secrets.bundle)).toBe(true)
  const opened = await openSnapshot(store, manifest, [identity], signal)
  const parts: Buffer[] = []
  for await (const part of bytesOf(opened.source)) parts.push(part)
  await opened.close()
  expect(Buffer.concat(parts).equals(realSnapshot())).toBe(true)
  expect(parseSecretsFile(await secretsOf(manifest, identity), 'x')).toEqual(secrets)
})

test('a recipient of the snapshot who cannot decrypt the secrets gets etcd, and not the keys of the cluster', async () => {
  const foreign = await generateX25519Identity()
  const recipients = [await identityToRecipient(foreign)]
  const manifest = await takeFor({ recipients, ofSecrets: [await identityToRecipient(identity)] })
  await (await openSnapshot(store, manifest, [foreign], signal)).close()
  await expect(secretsOf(manifest, foreign)).rejects.toThrow('no identity matched')
  expect(parseSecretsFile(await secretsOf(manifest, identity), 'x')).toEqual(secrets)
})

test('secrets that have no age recipient are in no snapshot', async () => {
  const { name } = await takeFor({ recipients: [await identityToRecipient(identity)] })
  expect((await readdir(folder)).sort()).toEqual([objectsOf(name).etcd, objectsOf(name).manifest].sort())
})

test('recipients of other kinds, which sops adds to a file, do not stop a snapshot', async () => {
  const ssh = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0pz8BU8Hn4f1G9Xh0tZC0h6nJ8O1Yl3p0b4b1V3rJb me'
  const own = await identityToRecipient(identity)
  const manifest = await takeFor({ recipients: [own], ofSecrets: [ssh, own] })
  expect(parseSecretsFile(await secretsOf(manifest, identity), 'x')).toEqual(secrets)
})

test('the same content in the same second is another snapshot, and the first one stays whole', async () => {
  const snapshots = [await take(), await take()]
  expect(new Set(snapshots.map(({ name }) => name)).size).toBe(2)
  for (const manifest of snapshots) await (await openSnapshot(store, manifest, [identity], signal)).close()
})

test('only the user may read it, nothing clear and nothing temporary is left', async () => {
  const { name } = await take()
  expect((await readdir(folder)).sort()).toEqual(
    Object.values(objectsOf(name))
      .filter((file) => !file.includes('drill'))
      .sort(),
  )
  for (const file of await readdir(folder)) {
    expect((await stat(join(folder, file))).mode & 0o077).toBe(0)
    if (file.endsWith('.age')) expect((await readFile(join(folder, file))).includes('registry')).toBe(false)
  }
})

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield realSnapshot().subarray(0, 30_000)
  throw new Error('the connection was cut')
}

test.each([
  ['ends early', inParts(realSnapshot().subarray(0, 40_960)), 'snapshot-truncated'],
  ['ends inside a page', inParts(realSnapshot().subarray(0, 33_333)), 'snapshot-truncated'],
  ['was changed on the way', inParts(aFlippedBit(realSnapshot(), 20_000)), 'snapshot-corrupt'],
  ['breaks off', brokenOff(), undefined],
])('a stream that %s leaves nothing in the store', async (_, stream, code) => {
  await expect(take(stream)).rejects.toMatchObject(
    code === undefined ? { message: 'the connection was cut' } : { code },
  )
  expect(await readdir(folder)).toEqual([])
})

test.each(['etcd', 'secrets', 'manifest'] as const)('a store that fails at the %s lists nothing', async (kind) => {
  const failing: SnapshotStore = {
    ...store,
    putFile: async (name, file, stop) => {
      if (name.includes(`.${kind}.`)) throw new Error('disk full')
      await store.putFile(name, file, stop)
    },
    putText: async () => {
      throw new Error('disk full')
    },
  }
  await expect(take(inParts(realSnapshot()), failing)).rejects.toThrow('disk full')
  expect(await readdir(folder)).toEqual([])
})

test('a store that gives back other bytes is noticed at once', async () => {
  const forgetful: SnapshotStore = { ...store, read: () => inParts(Buffer.from('something else')) }
  await expect(take(inParts(realSnapshot()), forgetful)).rejects.toThrow('was changed by the store')
  expect(await readdir(folder)).toEqual([])
})

test('the list shows finished snapshots of this cluster, the newest first, and what is wrong with the others', async () => {
  const { name } = await take()
  const { etcd, manifest, drill } = objectsOf(name)
  const older = name.replace('20261115', '20261114')
  const { seal: _, ...said } = parseManifest(await readFile(join(folder, manifest), 'utf8'), manifest)
  const before = sealManifest({ ...said, name: older, taken_at: '2026-11-14T12:00:00.000Z' }, secrets.bundle)
  await writeFile(join(folder, objectsOf(older).manifest), formatManifest(before))
  await writeFile(join(folder, objectsOf(older).etcd), await readFile(join(folder, etcd)))
  await writeFile(join(folder, 'dev-20261101T000000Z-00000000.etcd.age'), 'unfinished')
  await writeFile(join(folder, 'dev-20261102T000000Z-00000000.json'), '{')
  await writeFile(join(folder, 'dev-2-20261103T000000Z-00000000.json'), '{')
  await writeFile(
    join(folder, drill),
    formatDrill(
      {
        version: 1,
        at: takenAt.toISOString(),
        outcome: 'passed',
        offline: true,
        recovery_ms: 5,
        expected: {},
        found: {},
        missing: {},
      },
      name,
      secrets.bundle,
    ),
  )
  const { snapshots, broken } = await listSnapshots(store, { cluster: 'dev', bundle: secrets.bundle }, signal)
  expect(snapshots.map((one) => [one.manifest.name, one.drill?.outcome])).toEqual([
    [name, 'passed'],
    [older, undefined],
  ])
  expect(broken.map((one) => one.name)).toEqual(['dev-20261102T000000Z-00000000'])
  await truncate(join(folder, etcd), 100)
  expect((await listSnapshots(store, { cluster: 'dev', bundle: secrets.bundle }, signal)).broken).toContainEqual(
    expect.objectContaining({ name, because: expect.stringContaining('its data has 100 of ') }),
  )
})

test.each([
  ['cut off', 'snapshot-truncated', (path: string) => truncate(path, 1000)],
  ['changed', 'snapshot-corrupt', async (path: string) => writeFile(path, aFlippedBit(await readFile(path), 30_000))],
])('a stored file that was %s is refused as %s', async (_, code, damage) => {
  const manifest = await take()
  await damage(join(folder, objectsOf(manifest.name).etcd))
  await expect(openSnapshot(store, manifest, [identity], signal)).rejects.toMatchObject({ code })
})

test('a key that does not match is reported as such', async () => {
  const manifest = await take()
  const another = await generateX25519Identity()
  await expect(openSnapshot(store, manifest, [another], signal)).rejects.toMatchObject({
    code: 'snapshot-undecryptable',
  })
})
