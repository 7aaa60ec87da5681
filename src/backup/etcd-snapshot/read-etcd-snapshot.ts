import { type ByteSource, bytesOf } from '../byte-source.js'
import { SnapshotRefused } from '../snapshot-error.js'
import { type BoltFile, openBolt } from './bolt-file.js'
import { type Bucket, corrupt, listBuckets, visitEntries } from './bolt-tree.js'
import { createCastagnoli } from './castagnoli.js'
import { createLiveKeys, type LiveKeys } from './live-keys.js'
import { findKey, findRevision } from './revision.js'
import { createTrailerCheck, type HashedFile, hasTrailer } from './trailer.js'

/** The contents of an etcd snapshot. */
export interface EtcdContent {
  /** The size of the database, as `etcdutl snapshot status` reports it. */
  readonly databaseSize: number
  readonly revision: number
  /** Keys that exist at that revision. */
  readonly totalKeys: number
  /** By prefix: the count of a range over it, without sub-prefixes. */
  readonly keys: Readonly<Record<string, number>>
  readonly objects: readonly { readonly kind: string; readonly namespace: string; readonly count: number }[]
  /** `3.6.0`; `undefined` before etcd 3.6. */
  readonly storageVersion?: string
}

export interface ReadOptions {
  readonly where: string
  /** The newest etcd that must read it, such as `3.6`. */
  readonly newestEtcd?: string
}

/** The newest etcd whose database format is known to be supported here. */
const newestKnownEtcd = '3.7'

/** Checks the hash that etcd appended; refuses a truncated or changed file. */
export async function checkEtcdFile(source: ByteSource, where: string): Promise<HashedFile> {
  const bolt = await openBolt(source, where)
  if (bolt !== undefined) refuseTruncated(bolt)
  const check = createTrailerCheck()
  for await (const bytes of bytesOf(source)) check.add(bytes)
  const hashed = check.end()
  refuseChanged(hashed, where)
  if (bolt === undefined) throw notEtcd(source.size, where)
  return hashed
}

/** Refuses a file whose appended hash does not match. */
export function refuseChanged({ trailerMatches }: HashedFile, where: string): void {
  if (trailerMatches !== false) return
  throw new SnapshotRefused('corrupt', 'The snapshot was changed: the hash that etcd appended does not match.', {
    where,
    fix: anotherSnapshot,
  })
}

/** Counts its contents. Does not check the hash of the file: see `checkEtcdFile`. */
export async function readEtcdContent(source: ByteSource, options: ReadOptions): Promise<EtcdContent> {
  const { bolt, buckets } = await openEtcd(source, options.where)
  const storageVersion = await findStorageVersion(bolt, buckets)
  refuseTooNew(storageVersion, options)
  const live = createLiveKeys()
  const revision = await visitRevisions(bolt, buckets.get('key') ?? { page: 0 }, live)
  return {
    databaseSize: bolt.pages * bolt.pageSize,
    revision,
    totalKeys: live.total,
    ...countsOf(live),
    ...(storageVersion === undefined ? {} : { storageVersion }),
  }
}

/** The keys under `prefix` that exist at its last revision. */
export async function readKeys(source: ByteSource, prefix: string, where: string): Promise<Set<string>> {
  const { bolt, buckets } = await openEtcd(source, where)
  const keys = new Set<string>()
  await visitRevisions(bolt, buckets.get('key') ?? { page: 0 }, {
    put: (key) => {
      const name = key.toString()
      if (name.startsWith(prefix)) keys.add(name)
    },
    delete: (key) => void keys.delete(key.toString()),
  })
  return keys
}

/** The hash that `etcdutl snapshot status` shows: over every bucket, key and value in order. */
export async function statusHash(source: ByteSource, where: string): Promise<string> {
  const { bolt, buckets } = await openEtcd(source, where)
  const crc = createCastagnoli()
  for (const [name, bucket] of buckets) {
    crc.add(Buffer.from(name))
    await visitEntries(bolt, bucket, (key, value) => {
      crc.add(key)
      crc.add(value)
    })
  }
  return crc.digest()
}

const anotherSnapshot = 'Choose another snapshot from `ichor backup list`.'

async function openEtcd(source: ByteSource, where: string) {
  const bolt = await openBolt(source, where)
  if (bolt === undefined) throw notEtcd(source.size, where)
  refuseTruncated(bolt)
  const buckets = await listBuckets(bolt)
  if (buckets.has('key') && buckets.has('meta')) return { bolt, buckets }
  throw new SnapshotRefused('foreign', 'This is a bbolt database, but not one of etcd: it has no bucket "key".', {
    where,
    fix: 'Name a file that `ichor backup`, `talosctl etcd snapshot` or `etcdctl snapshot save` wrote.',
  })
}

/** A raw copy ends with the last page or after it; a snapshot has its hash there. */
function refuseTruncated({ source: { size }, pages, pageSize, where }: BoltFile): void {
  const expected = pages * pageSize
  if (size >= expected && (hasTrailer(size) || size % 512 === 0)) return
  throw new SnapshotRefused(
    'truncated',
    `The snapshot is cut off: it has ${size} bytes, and its database alone has ${expected}.`,
    { where, fix: anotherSnapshot },
  )
}

function notEtcd(size: number, where: string): SnapshotRefused {
  return size < 8192
    ? new SnapshotRefused('truncated', `The snapshot is cut off: it has only ${size} bytes.`, {
        where,
        fix: anotherSnapshot,
      })
    : new SnapshotRefused('corrupt', 'This is not a database of etcd: neither of its first two pages is valid.', {
        where,
        fix: anotherSnapshot,
      })
}

async function findStorageVersion(bolt: BoltFile, buckets: ReadonlyMap<string, Bucket>): Promise<string | undefined> {
  let found: string | undefined
  await visitEntries(bolt, buckets.get('meta') ?? { page: 0 }, (key, value) => {
    if (key.toString() === 'storageVersion') found = value.toString()
  })
  return found
}

function refuseTooNew(version: string | undefined, { where, newestEtcd = newestKnownEtcd }: ReadOptions): void {
  if (version === undefined || minorOf(version) <= minorOf(newestEtcd)) return
  throw new SnapshotRefused(
    'too-new',
    `The snapshot was written by etcd ${version}, and ${newestEtcd} is the newest that can be used here.`,
    { where, fix: 'Raise talos_version to one that ships this etcd, or use a newer ichor.' },
  )
}

function minorOf(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major * 1000 + minor
}

/** Revisions are ordered, so the last one of a key decides whether it exists. */
async function visitRevisions(bolt: BoltFile, bucket: Bucket, live: Pick<LiveKeys, 'put' | 'delete'>): Promise<number> {
  let last = 0
  await visitEntries(bolt, bucket, (entry, value) => {
    const revision = findRevision(entry)
    const key = findKey(value)
    if (revision === undefined || key === undefined) throw corrupt(bolt, 'an entry is not a revision of a key')
    if (revision.main < last) throw corrupt(bolt, `revision ${revision.main} comes after ${last}`)
    last = revision.main
    if (revision.isTombstone) live.delete(key)
    else live.put(key)
  })
  return last
}

function countsOf(live: LiveKeys): Pick<EtcdContent, 'keys' | 'objects'> {
  const counts = live.counts()
  const keys = new Map<string, number>()
  for (const { place, count } of counts) keys.set(place.prefix, (keys.get(place.prefix) ?? 0) + count)
  return {
    keys: Object.fromEntries([...keys].sort(([one], [other]) => (one < other ? -1 : 1))),
    objects: counts
      .filter(({ place }) => place.kind !== '')
      .map(({ place: { kind, namespace }, count }) => ({ kind, namespace, count }))
      .sort((one, other) => (`${one.kind} ${one.namespace}` < `${other.kind} ${other.namespace}` ? -1 : 1)),
  }
}
