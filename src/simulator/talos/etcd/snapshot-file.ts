import { createHash } from 'node:crypto'

const page = 4096
/** Where bbolt writes its magic number in the first page. */
const magicOffset = 16
const magic = 0xed0cdaed
const chunk = 32 * 1024

/** The bytes of an etcd snapshot, in pieces: pages of a database, then the SHA-256 of all of them. */
export function* snapshotFile(content: unknown, extraSize: number): Generator<Uint8Array> {
  const hash = createHash('sha256')
  const head = databaseOf(content)
  for (let at = 0; at < head.length; at += chunk) {
    const piece = head.subarray(at, at + chunk)
    hash.update(piece)
    yield piece
  }
  const filler = Buffer.alloc(chunk)
  for (let left = Math.floor(extraSize / page) * page; left > 0; left -= chunk) {
    const piece = filler.subarray(0, Math.min(left, chunk))
    hash.update(piece)
    yield piece
  }
  yield hash.digest()
}

export interface ReadSnapshot {
  readonly content: unknown
  readonly hashIsRight: boolean
}

/** Reads such a file back; `undefined` for what is no database. A raw copy has no hash at its end. */
export function readSnapshotFile(file: Buffer): ReadSnapshot | undefined {
  if (file.length < page || file.readUInt32LE(magicOffset) !== magic) return undefined
  const hasSuffix = file.length % 512 === 32
  const pages = hasSuffix ? file.subarray(0, -32) : file
  const hashIsRight = hasSuffix && createHash('sha256').update(pages).digest().equals(file.subarray(-32))
  const length = pages.readUInt32LE(magicOffset + 4)
  try {
    const content: unknown = JSON.parse(pages.toString('utf8', page, page + length))
    return { content, hashIsRight }
  } catch {
    return undefined
  }
}

function databaseOf(content: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(content))
  const pages = Buffer.alloc(page + Math.ceil(text.length / page) * page)
  pages.writeUInt32LE(magic, magicOffset)
  pages.writeUInt32LE(text.length, magicOffset + 4)
  text.copy(pages, page)
  return pages
}
