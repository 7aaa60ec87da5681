import { createHash } from 'node:crypto'

const trailerSize = 32

export interface HashedFile {
  readonly size: number
  /** Of everything, including the trailer. */
  readonly sha256: string
  /** `undefined` without a trailer: a raw copy of the database. */
  readonly trailerMatches: boolean | undefined
}

/** Checks a snapshot file while it is streamed: etcd ends it with the SHA-256 of everything before. */
export function createTrailerCheck() {
  const hash = createHash('sha256')
  let tail: Buffer = Buffer.alloc(0)
  let size = 0
  return {
    add: (bytes: Uint8Array) => {
      size += bytes.length
      if (bytes.length >= trailerSize) {
        hash.update(tail)
        hash.update(bytes.subarray(0, -trailerSize))
        tail = Buffer.from(bytes.subarray(-trailerSize))
      } else {
        const joined = Buffer.concat([tail, bytes])
        hash.update(joined.subarray(0, -trailerSize))
        tail = joined.subarray(-trailerSize)
      }
    },
    end: (): HashedFile => {
      const trailerMatches = hasTrailer(size) ? hash.copy().digest().equals(tail) : undefined
      return { size, trailerMatches, sha256: hash.update(tail).digest('hex') }
    },
  }
}

/** As in etcd: the size of a database is a multiple of 512 bytes. */
export function hasTrailer(size: number): boolean {
  return size % 512 === trailerSize
}
