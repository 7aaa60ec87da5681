import { createHash } from 'node:crypto'

const pageSize = 4096
const perLeaf = 3
const perBranch = 120
const firstLeaf = 3

/** A snapshot file of etcd of about that size, part by part: one revision a key, the hash at the end. */
export async function* largeEtcdFile(bytes: number): AsyncGenerator<Buffer> {
  const leaves = Math.max(1, Math.ceil(bytes / pageSize))
  const levels = levelsAbove(leaves)
  const pages = firstLeaf + leaves + levels.reduce((sum, count) => sum + count, 0)
  const hash = createHash('sha256')
  for await (const part of inBatches(pagesOf(leaves, levels, pages))) {
    hash.update(part)
    yield part
  }
  yield hash.digest()
}

/** How many keys it holds. */
export function keysOfLargeFile(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / pageSize)) * perLeaf
}

/** Branch pages of each level, the lowest first; none when one leaf is all. */
function levelsAbove(leaves: number): number[] {
  const levels: number[] = []
  for (let below = leaves; below > 1; below = levels.at(-1) ?? 1) levels.push(Math.ceil(below / perBranch))
  return levels
}

function* pagesOf(leaves: number, levels: readonly number[], pages: number): Generator<Buffer> {
  yield metaPage(0, pages, 2)
  yield metaPage(1, pages, 1)
  yield leafPage(2, [
    { flags: 1, key: Buffer.from('key'), value: pointer(pages - 1) },
    { flags: 1, key: Buffer.from('meta'), value: Buffer.concat([pointer(0), leafPage(0, [version], 64)]) },
  ])
  for (let leaf = 0; leaf < leaves; leaf++) yield leafPage(firstLeaf + leaf, revisionsOf(leaf))
  let below = { first: firstLeaf, count: leaves, keysEach: perLeaf }
  for (const count of levels) {
    const first = below.first + below.count
    for (let index = 0; index < count; index++) yield branchPage(first + index, index, below)
    below = { first, count, keysEach: below.keysEach * perBranch }
  }
}

const version = { flags: 0, key: Buffer.from('storageVersion'), value: Buffer.from('3.6.0') }
const value = Buffer.alloc(1200, 'v')

function revisionsOf(leaf: number) {
  return Array.from({ length: perLeaf }, (_, index) => {
    const number = leaf * perLeaf + index
    const key = Buffer.from(`/registry/pods/ns-${number % 50}/pod-${number}`)
    const size = Buffer.from([0x2a, (value.length & 0x7f) | 0x80, value.length >> 7])
    return {
      flags: 0,
      key: revision(number),
      value: Buffer.concat([Buffer.from([0x0a, key.length]), key, size, value]),
    }
  })
}

function revision(number: number): Buffer {
  const key = Buffer.alloc(17)
  key.writeBigUInt64BE(BigInt(number + 2))
  key[8] = 0x5f
  return key
}

interface Entry {
  readonly flags: number
  readonly key: Buffer
  readonly value: Buffer
}

function leafPage(id: number, entries: readonly Entry[], size = pageSize): Buffer {
  const page = header(id, 2, entries.length, size)
  let at = 16 + entries.length * 16
  for (const [index, { flags, key, value: content }] of entries.entries()) {
    const element = 16 + index * 16
    page.writeUInt32LE(flags, element)
    page.writeUInt32LE(at - element, element + 4)
    page.writeUInt32LE(key.length, element + 8)
    page.writeUInt32LE(content.length, element + 12)
    key.copy(page, at)
    content.copy(page, at + key.length)
    at += key.length + content.length
  }
  return page
}

function branchPage(id: number, index: number, below: { first: number; count: number; keysEach: number }): Buffer {
  const start = index * perBranch
  const count = Math.min(perBranch, below.count - start)
  const page = header(id, 1, count)
  for (let child = 0; child < count; child++) {
    const element = 16 + child * 16
    const at = 16 + count * 16 + child * 17
    page.writeUInt32LE(at - element, element)
    page.writeUInt32LE(17, element + 4)
    page.writeBigUInt64LE(BigInt(below.first + start + child), element + 8)
    revision((start + child) * below.keysEach).copy(page, at)
  }
  return page
}

function metaPage(id: number, pages: number, txid: number): Buffer {
  const page = header(id, 4, 0)
  const meta = page.subarray(16, 80)
  meta.writeUInt32LE(0xed0cdaed, 0)
  meta.writeUInt32LE(2, 4)
  meta.writeUInt32LE(pageSize, 8)
  meta.writeBigUInt64LE(2n, 16)
  meta.writeBigUInt64LE(0xffffffffffffffffn, 32)
  meta.writeBigUInt64LE(BigInt(pages), 40)
  meta.writeBigUInt64LE(BigInt(txid), 48)
  let sum = 0xcbf29ce484222325n
  for (const byte of meta.subarray(0, 56)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n)
  meta.writeBigUInt64LE(sum, 56)
  return page
}

function header(id: number, flags: number, count: number, size = pageSize): Buffer {
  const page = Buffer.alloc(size)
  page.writeBigUInt64LE(BigInt(id), 0)
  page.writeUInt16LE(flags, 8)
  page.writeUInt16LE(count, 10)
  return page
}

function pointer(page: number): Buffer {
  const bucket = Buffer.alloc(16)
  bucket.writeBigUInt64LE(BigInt(page))
  return bucket
}

async function* inBatches(pages: Iterable<Buffer>): AsyncGenerator<Buffer> {
  let batch: Buffer[] = []
  for (const page of pages) {
    batch.push(page)
    if (batch.length < 64) continue
    yield Buffer.concat(batch)
    batch = []
  }
  if (batch.length > 0) yield Buffer.concat(batch)
}
