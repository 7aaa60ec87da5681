import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { aFlippedBit, memorySource, realSnapshot } from '../testing.js'
import { checkEtcdFile, readEtcdContent, statusHash } from './read-etcd-snapshot.js'

const where = 'dev.snapshot'
const real = realSnapshot()

test('a snapshot of a real etcd is read as etcdutl reads it', async () => {
  const source = memorySource(real)
  expect(await checkEtcdFile(source, where)).toMatchObject({ size: 49_184, trailerMatches: true })
  expect(await statusHash(source, where)).toBe((2941243960).toString(16))
  expect(await readEtcdContent(source, { where })).toEqual({
    databaseSize: 49_152,
    revision: 5,
    totalKeys: 18,
    storageVersion: '3.6.0',
    keys: {
      '': 1,
      '/registry/apiextensions.k8s.io/customresourcedefinitions/': 1,
      '/registry/example.com/widgets/': 2,
      '/registry/minions/': 1,
      '/registry/namespaces/': 2,
      '/registry/pods/': 5,
      '/registry/secrets/': 1,
      '/registry/services/endpoints/': 2,
      '/registry/services/specs/': 2,
      'talos:v1:manifestApplyMutex/': 1,
    },
    objects: [
      { kind: 'customresourcedefinitions.apiextensions.k8s.io', namespace: '', count: 1 },
      { kind: 'endpoints', namespace: 'default', count: 1 },
      { kind: 'endpoints', namespace: 'kube-system', count: 1 },
      { kind: 'namespaces', namespace: '', count: 2 },
      { kind: 'nodes', namespace: '', count: 1 },
      { kind: 'pods', namespace: 'default', count: 4 },
      { kind: 'pods', namespace: 'kube-system', count: 1 },
      { kind: 'secrets', namespace: 'default', count: 1 },
      { kind: 'services', namespace: 'default', count: 1 },
      { kind: 'services', namespace: 'kube-system', count: 1 },
      { kind: 'widgets.example.com', namespace: 'default', count: 1 },
      { kind: 'widgets.example.com', namespace: 'kube-system', count: 1 },
    ],
  })
})

test('a raw copy of the database has no hash, and is read all the same', async () => {
  const raw = memorySource(real.subarray(0, -32))
  expect(await checkEtcdFile(raw, where)).toMatchObject({ trailerMatches: undefined })
  expect((await readEtcdContent(raw, { where })).totalKeys).toBe(18)
})

test.each([
  ['nothing at all', 'snapshot-truncated', Buffer.alloc(0)],
  ['a few bytes', 'snapshot-truncated', real.subarray(0, 100)],
  ['half of it', 'snapshot-truncated', real.subarray(0, real.length / 2)],
  ['pages missing at the end', 'snapshot-truncated', real.subarray(0, 40_960)],
  ['a part of the hash', 'snapshot-truncated', real.subarray(0, -10)],
  ['a flipped bit in the data', 'snapshot-corrupt', aFlippedBit(real, 20_000)],
  ['a flipped bit in both meta pages', 'snapshot-corrupt', aFlippedBit(aFlippedBit(real, 40), 4096 + 40)],
  ['a flipped bit in the hash', 'snapshot-corrupt', aFlippedBit(real, real.length - 1)],
  ['another file', 'snapshot-corrupt', Buffer.alloc(100_000, 'text ')],
])('%s is refused as %s', async (_, code, bytes) => {
  await expect(checkEtcdFile(memorySource(bytes), where)).rejects.toMatchObject({ code, exitCode: 3, where })
})

/** Changes bytes and appends the correct hash: what a newer or other program might write. */
function rewritten(from: string, to: string): Buffer {
  const bytes = Buffer.from(real)
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) bytes.write(to, at)
  createHash('sha256')
    .update(bytes.subarray(0, -32))
    .digest()
    .copy(bytes, bytes.length - 32)
  return bytes
}

test.each([
  [
    'written by an etcd that nobody knows yet',
    'snapshot-too-new',
    rewritten('storageVersion3.6', 'storageVersion3.9'),
    {},
  ],
  ['newer than the etcd that shall read it', 'snapshot-too-new', real, { newestEtcd: '3.5' }],
  ['a database of somebody else', 'snapshot-foreign', rewritten('meta', 'meth'), {}],
])('%s: %s', async (_, code, bytes, options) => {
  const source = memorySource(bytes)
  await checkEtcdFile(source, where)
  await expect(readEtcdContent(source, { where, ...options })).rejects.toMatchObject({ code, exitCode: 3, where })
})

test('damage inside a file whose hash was made to fit is found', async () => {
  for (let page = 2; page < 12; page++) {
    const bytes = Buffer.from(real)
    bytes.fill(0xff, page * 4096, page * 4096 + 64)
    const outcome = await readEtcdContent(memorySource(bytes), { where }).then(
      ({ totalKeys }) => totalKeys,
      ({ code }: { code?: string }) => code,
    )
    expect([18, 'snapshot-corrupt']).toContain(outcome)
  }
})
