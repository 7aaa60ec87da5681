import { createHash } from 'node:crypto'
import type { EtcdContent } from '../../kubernetes/seam.js'
import { readBbolt } from './bbolt-reader.js'
import { bboltPages, pageSize } from './bbolt-writer.js'
import type { EtcdCluster } from './etcd-cluster.js'
import { contentOf, etcdBuckets } from './etcd-schema.js'

const chunk = 32 * 1024
const hashSize = 32

/** The bytes of an etcd snapshot, in chunks: the database, then its SHA-256. */
export function* snapshotFile(cluster: EtcdCluster): Generator<Uint8Array> {
  const hash = createHash('sha256')
  for (const piece of databaseFile(cluster)) {
    hash.update(piece)
    yield piece
  }
  yield hash.digest()
}

/** The database alone, as in a member's data directory. */
export function* databaseFile(cluster: EtcdCluster): Generator<Uint8Array> {
  const { store, index, term, version, storageVersion, extraSize } = cluster
  const facts = { index, term, version, storageVersion, members: [...cluster.members.values()] }
  const buckets = etcdBuckets(store.content(), facts)
  yield* inChunks(bboltPages(buckets, Math.floor(extraSize / pageSize)))
}

export interface ReadSnapshot {
  readonly content: EtcdContent
  /** The hash error at its end; a copy of the data directory has no hash. */
  readonly hashProblem?: string
}

/** Reads such a file; `undefined` if it is not an etcd database. */
export function readSnapshotFile(file: Buffer): ReadSnapshot | undefined {
  const hasHash = file.length % 512 === hashSize
  const pages = hasHash ? file.subarray(0, -hashSize) : file
  const buckets = readBbolt(pages)
  const content = buckets === undefined ? undefined : contentOf(buckets)
  if (content === undefined) return undefined
  const hashProblem = hasHash ? wrongHash(pages, file.subarray(-hashSize)) : 'snapshot missing hash'
  return hashProblem === undefined ? { content } : { content, hashProblem }
}

function wrongHash(pages: Buffer, wanted: Buffer): string | undefined {
  const found = createHash('sha256').update(pages).digest()
  return found.equals(wanted) ? undefined : `expected sha256 [${[...wanted].join(' ')}], got [${[...found].join(' ')}]`
}

/** Combines pages into messages of the size that etcd streams. */
function* inChunks(pages: Iterable<Buffer>): Generator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for (const page of pages) {
    waiting.push(page)
    length += page.length
    if (length < chunk) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}
