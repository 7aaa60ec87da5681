import type { ByteSource } from '../byte-source.js'
import { SnapshotRefused } from '../snapshot-error.js'

/** The database format of etcd: pages of one size, the first two of which point to the root of the tree. */
export interface BoltFile {
  readonly source: ByteSource
  readonly where: string
  readonly pageSize: number
  /** The page of the root bucket. */
  readonly root: number
  /** Pages in use or free; there are none after these. */
  readonly pages: number
}

export const pageHeaderSize = 16
const metaSize = 64
const magic = 0xed0cdaed
const formatVersion = 2
const pageSizes = [4096, 1024, 2048, 8192, 16384, 32768, 65536]

/** Reads the newer of the two meta pages. `undefined` if neither is valid: then this is not such a database. */
export async function openBolt(source: ByteSource, where: string): Promise<BoltFile | undefined> {
  const first = await readMeta(source, 0, where)
  const sizes = first === undefined ? pageSizes : [first.pageSize]
  let newest = first
  for (const pageSize of sizes) {
    const second = await readMeta(source, pageSize, where)
    if (second !== undefined && second.pageSize === pageSize && second.txid > (newest?.txid ?? -1n)) newest = second
  }
  if (newest === undefined) return undefined
  const { pageSize, root, pages } = newest
  return { source, where, pageSize, root, pages }
}

interface Meta {
  readonly pageSize: number
  readonly root: number
  readonly pages: number
  readonly txid: bigint
}

async function readMeta(source: ByteSource, at: number, where: string): Promise<Meta | undefined> {
  if (at + pageHeaderSize + metaSize > source.size) return undefined
  const meta = await source.read(at + pageHeaderSize, metaSize)
  if (meta.readUInt32LE(0) !== magic || meta.readBigUInt64LE(56) !== fnv1a(meta.subarray(0, 56))) return undefined
  const version = meta.readUInt32LE(4)
  if (version !== formatVersion) throw unknownVersion(version, where)
  return {
    pageSize: meta.readUInt32LE(8),
    root: Number(meta.readBigUInt64LE(16)),
    pages: Number(meta.readBigUInt64LE(40)),
    txid: meta.readBigUInt64LE(48),
  }
}

function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}

function unknownVersion(version: number, where: string): SnapshotRefused {
  return new SnapshotRefused('too-new', `The database has format ${version}, and this ichor reads ${formatVersion}.`, {
    where,
    fix: 'Use a newer ichor.',
  })
}
