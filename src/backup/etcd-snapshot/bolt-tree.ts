import { SnapshotRefused } from '../snapshot-error.js'
import { type BoltFile, pageHeaderSize } from './bolt-file.js'

/** Called with every entry in key order. The buffers are only valid during the call. */
export type VisitEntry = (key: Buffer, value: Buffer, isBucket: boolean) => void

/** A bucket is a tree of pages; a small one is stored inline in its entry. */
export type Bucket = { readonly page: number } | { readonly inline: Buffer }

const branchFlag = 1
const leafFlag = 2
const bucketFlag = 1
const elementSize = 16
const maxLevels = 64

/** The buckets of a file by name, in order. */
export async function listBuckets(file: BoltFile): Promise<Map<string, Bucket>> {
  const buckets = new Map<string, Bucket>()
  await visitEntries(file, { page: file.root }, (key, value, isBucket) => {
    if (!isBucket || value.length < 16) throw corrupt(file, 'an entry among its buckets is not a bucket')
    const page = Number(value.readBigUInt64LE(0))
    buckets.set(key.toString(), page === 0 ? { inline: Buffer.from(value.subarray(16)) } : { page })
  })
  return buckets
}

/** Visits a bucket from the first key to the last. Holds one page per level. */
export async function visitEntries(file: BoltFile, bucket: Bucket, visit: VisitEntry): Promise<void> {
  if ('inline' in bucket) return visitLeaf(file, bucket.inline, visit)
  let visited = 0
  const descend = async (id: number, level: number): Promise<void> => {
    if (++visited > file.pages || level > maxLevels) throw corrupt(file, 'its pages form a circle')
    const page = await readPage(file, id)
    if (page.readUInt16LE(8) === leafFlag) return visitLeaf(file, page, visit)
    for (const child of childrenOf(file, page)) await descend(child, level + 1)
  }
  await descend(bucket.page, 0)
}

async function readPage({ source, pageSize, pages, ...file }: BoltFile, id: number): Promise<Buffer> {
  if (id < 2 || id >= pages) throw corrupt(file, `page ${id} of ${pages} does not exist`)
  const page = await source.read(id * pageSize, pageSize)
  const overflow = page.readUInt32LE(12)
  const flags = page.readUInt16LE(8)
  if (Number(page.readBigUInt64LE(0)) !== id || (flags !== branchFlag && flags !== leafFlag)) {
    throw corrupt(file, `page ${id} is not part of a tree`)
  }
  if (id + overflow >= pages) throw corrupt(file, `page ${id} goes beyond the end`)
  return overflow === 0 ? page : source.read(id * pageSize, (overflow + 1) * pageSize)
}

function childrenOf(file: BoltFile, page: Buffer): number[] {
  const count = page.readUInt16LE(10)
  if (count === 0 || pageHeaderSize + count * elementSize > page.length) throw corrupt(file, 'a branch is damaged')
  return Array.from({ length: count }, (_, index) =>
    Number(page.readBigUInt64LE(pageHeaderSize + index * elementSize + 8)),
  )
}

function visitLeaf(file: BoltFile, page: Buffer, visit: VisitEntry): void {
  const count = page.readUInt16LE(10)
  if (pageHeaderSize + count * elementSize > page.length) throw corrupt(file, 'a leaf is damaged')
  for (let index = 0; index < count; index++) {
    const at = pageHeaderSize + index * elementSize
    const start = at + page.readUInt32LE(at + 4)
    const middle = start + page.readUInt32LE(at + 8)
    const end = middle + page.readUInt32LE(at + 12)
    if (end > page.length) throw corrupt(file, 'an entry goes beyond its page')
    visit(page.subarray(start, middle), page.subarray(middle, end), (page.readUInt32LE(at) & bucketFlag) !== 0)
  }
}

/** The hash of the file was correct or absent, but the database is damaged. */
export function corrupt({ where }: { readonly where: string }, what: string): SnapshotRefused {
  return new SnapshotRefused('corrupt', `The database in the snapshot is damaged: ${what}.`, {
    where,
    fix: 'Choose another snapshot from `ichor backup list`.',
  })
}
