import { expect, test } from 'vitest'
import { clusterMarkId } from '../cluster/identity.js'
import type { SecretsBundle } from '../secrets/bundle.js'
import {
  encryptionFingerprint,
  foreignReason,
  formatManifest,
  isSealedBy,
  type Manifest,
  parseManifest,
  refuseOldKey,
  sealManifest,
  secretsFingerprint,
} from './manifest.js'
import { findSnapshotObject, objectsOf, snapshotName } from './snapshot-name.js'

const pair = { crt: 'a certificate', key: 'a key' }
const bundle: SecretsBundle = {
  cluster: { id: 'an id', secret: 'a secret' },
  secrets: { bootstraptoken: 'token' },
  trustdinfo: { token: 'token' },
  certs: { etcd: pair, k8s: pair, k8saggregator: pair, k8sserviceaccount: { key: 'a key' }, os: pair },
}
const other: SecretsBundle = { ...bundle, cluster: { id: 'an id', secret: 'another secret' } }
const manifest: Manifest = sealManifest(
  {
    version: 1,
    name: 'dev-20261115T120000Z-aaaaaaaa',
    cluster: 'dev',
    cluster_id: clusterMarkId('an id'),
    taken_at: '2026-11-15T12:00:00.000Z',
    talos_version: 'v1.13.9',
    kubernetes_version: 'v1.36.3',
    etcd_version: '3.6.8',
    revision: 5,
    size: 1,
    sha256: 'a'.repeat(64),
    encrypted_size: 2,
    encrypted_sha256: 'b'.repeat(64),
    members: [{ id: '1', hostname: 'dev-cp-1', peer_urls: [] }],
    secrets_fingerprint: secretsFingerprint(bundle),
    keys: { '/registry/pods/': 3, '': 1 },
  },
  bundle,
)

test('a manifest survives being written and read, and its seal fits', () => {
  const read = parseManifest(formatManifest(manifest), 'x')
  expect(read).toEqual(manifest)
  expect(isSealedBy(read, bundle)).toBe(true)
  expect(manifest.seal).toMatch(/^v1:[\w-]{43}$/)
})

test('the order of keys does not matter to the seal', () => {
  const { keys, ...rest } = manifest
  const reordered = { keys: Object.fromEntries(Object.entries(keys).reverse()), ...rest }
  expect(isSealedBy(reordered, bundle)).toBe(true)
})

test.each([
  ['another revision', { revision: 6 }],
  ['other data', { encrypted_sha256: 'c'.repeat(64) }],
  ['fewer keys', { keys: {} }],
  ['a later time', { taken_at: '2027-01-01T00:00:00.000Z' }],
])('%s breaks the seal', (_, change) => {
  const changed = { ...manifest, ...change }
  expect(isSealedBy(changed, bundle)).toBe(false)
  expect(foreignReason(changed, bundle)).toContain('was changed after it was written')
})

test('a snapshot of another cluster is named as one', () => {
  const another = { ...bundle, cluster: { id: 'another id', secret: 'another secret' } }
  const ids = [clusterMarkId('an id'), clusterMarkId('another id')]
  expect(foreignReason(manifest, another)).toBe(
    `it belongs to another cluster (dev, id ${ids[0]}; this one is ${ids[1]})`,
  )
  expect(foreignReason(manifest, bundle)).toBeUndefined()
})

test('a snapshot from before the key of its Secrets was rotated is refused; one without a note of it is taken', () => {
  const noted: Manifest = { ...manifest, encryption_fingerprint: encryptionFingerprint(bundle) }
  const key = Buffer.alloc(32, 7).toString('base64')
  const rotated: SecretsBundle = { ...bundle, secrets: { ...bundle.secrets, secretboxencryptionsecret: key } }
  expect(() => refuseOldKey(noted, rotated, 'x')).toThrow(expect.objectContaining({ code: 'snapshot-old-key' }))
  const { secretboxencryptionsecret: old = '' } = bundle.secrets
  for (const [one, secrets] of [
    [noted, bundle],
    [noted, { ...rotated, accepted: { secretbox: [old] } }],
    [manifest, rotated],
  ] as const)
    expect(() => refuseOldKey(one, secrets, 'x')).not.toThrow()
})

test.each([
  ['half a file', '{"version": 1, "na', 'snapshot-corrupt'],
  ['a field that is missing', '{"version": 1}', 'snapshot-corrupt'],
  ['a later version', '{"version": 2}', 'snapshot-too-new'],
])('%s is refused', (_, text, code) => {
  expect(() => parseManifest(text, 'dev.json')).toThrow(expect.objectContaining({ code, where: 'dev.json' }))
})

test('the fingerprint recognises a bundle and holds nothing of it', () => {
  expect(secretsFingerprint(bundle)).toBe(secretsFingerprint(bundle))
  expect(secretsFingerprint(bundle)).not.toBe(secretsFingerprint(other))
  expect(secretsFingerprint(bundle)).toMatch(/^[0-9a-f]{32}$/)
})

test('objects are recognised by their names', () => {
  const name = snapshotName('dev-2', new Date('2026-11-15T12:00:00.123Z'), 'abcdef0123')
  expect(name).toBe('dev-2-20261115T120000Z-abcdef01')
  for (const [kind, object] of Object.entries(objectsOf(name))) {
    expect(findSnapshotObject(object)).toEqual({ snapshot: name, kind })
  }
  for (const foreign of ['notes.txt', 'dev.snapshot', `${name}.etcd`, `${name}.json.bak`, '.ichor-1.tmp'])
    expect(findSnapshotObject(foreign)).toBeUndefined()
})
