/** The page size of databases that we write, as on any amd64 or arm64 node. */
export const pageSize = 4096

/** A bucket by its name, with its keys and values. */
export type Buckets = ReadonlyMap<string, readonly Entry[]>
export type Entry = readonly [key: Uint8Array, value: Uint8Array]

/** The flag of each page kind in its header. */
export const pageFlags = { branch: 0x01, leaf: 0x02, meta: 0x04, freelist: 0x10 } as const
export const magic = 0xed0cdaed
export const formatVersion = 2
/** Sizes of a page header, of an element in a leaf or branch page, of a bucket header, and of a meta record. */
export const sizes = { header: 16, element: 16, bucket: 16, meta: 64 } as const
/** Marks an element whose value is a bucket. */
export const bucketFlag = 1

const inlineLimit = pageSize / 4
const txid = 2n
const freelistPage = 2

interface Element {
  readonly key: Uint8Array
  readonly value: Uint8Array
  readonly isBucket: boolean
}

/** A bbolt database of these buckets: two meta pages, the freelist, trees of pages, and free pages at the end. */
export function* bboltPages(buckets: Buckets, freePages: number): Generator<Buffer> {
  const freelistSpan = spanOf(sizes.header + 8 * (freePages + 1))
  const tree = new PageTree(freelistPage + freelistSpan)
  const root = tree.write([...buckets].map(([name, entries]) => bucketElement(tree, name, entries)))
  const firstFree = tree.next
  const meta = { root, highWater: firstFree + freePages }
  yield metaPage(0, { ...meta, txid: txid - 1n })
  yield metaPage(1, { ...meta, txid })
  yield freelist(freelistSpan, firstFree, freePages)
  yield* tree.pages
  const empty = Buffer.alloc(pageSize)
  for (let n = 0; n < freePages; n++) yield empty
}

/** Allocates page numbers in order; what is written here is the rest of the file. */
class PageTree {
  readonly pages: Buffer[] = []
  next: number

  constructor(first: number) {
    this.next = first
  }

  /** Writes sorted leaves and the branches above them; returns the number of the root page. */
  write(elements: readonly Element[]): number {
    const sorted = [...elements].sort((a, b) => Buffer.compare(a.key, b.key))
    let level = inPages(sorted).map((some) => ({ key: some[0]?.key ?? new Uint8Array(), id: this.#leaf(some) }))
    while (level.length > 1) {
      const branches = inPages(level.map(({ key, id }) => ({ key, value: new Uint8Array(), id })))
      level = branches.map((some) => ({ key: some[0]?.key ?? new Uint8Array(), id: this.#branch(some) }))
    }
    return level[0]?.id ?? 0
  }

  #leaf(elements: readonly Element[]): number {
    return this.#add((id, span) => leafBytes(elements, { id, span }), sizeOf(elements))
  }

  #branch(children: readonly { key: Uint8Array; value: Uint8Array; id: number }[]): number {
    return this.#add((id, span) => branchBytes(children, { id, span }), sizeOf(children))
  }

  #add(make: (id: number, span: number) => Buffer, size: number): number {
    const id = this.next
    const span = spanOf(size)
    this.pages.push(make(id, span))
    this.next += span
    return id
  }
}

/** Small buckets are inlined in the page that names them, as in bbolt. */
function bucketElement(tree: PageTree, name: string, entries: readonly Entry[]): Element {
  const elements = entries.map(([key, value]) => ({ key, value, isBucket: false }))
  const isInline = sizeOf(elements) <= inlineLimit
  const header = Buffer.alloc(sizes.bucket)
  if (!isInline) header.writeBigUInt64LE(BigInt(tree.write(elements)))
  const value = isInline ? Buffer.concat([header, leafBytes(elements)]) : header
  return { key: Buffer.from(name), value, isBucket: true }
}

/** As many elements per page as fit; an element larger than a page has its own, with overflow. */
function inPages<T extends { key: Uint8Array; value: Uint8Array }>(elements: readonly T[]): T[][] {
  const pages: T[][] = [[]]
  let used: number = sizes.header
  for (const element of elements) {
    const size = sizes.element + element.key.length + element.value.length
    const current = pages.at(-1) ?? []
    if (current.length > 0 && used + size > pageSize) {
      pages.push([element])
      used = sizes.header + size
    } else {
      current.push(element)
      used += size
    }
  }
  return pages
}

function sizeOf(elements: readonly { key: Uint8Array; value: Uint8Array }[]): number {
  const content = elements.reduce((sum, { key, value }) => sum + sizes.element + key.length + value.length, 0)
  return sizes.header + content
}

function spanOf(size: number): number {
  return Math.ceil(size / pageSize)
}

/** Without a place it is an inline page: number 0, and no longer than its content. */
function leafBytes(elements: readonly Element[], place?: { id: number; span: number }): Buffer {
  const page = Buffer.alloc(place === undefined ? sizeOf(elements) : place.span * pageSize)
  writeHeader(page, { id: place?.id ?? 0, flags: pageFlags.leaf, count: elements.length, span: place?.span ?? 1 })
  let dataAt = sizes.header + elements.length * sizes.element
  for (const [n, { key, value, isBucket }] of elements.entries()) {
    const at = sizes.header + n * sizes.element
    page.writeUInt32LE(isBucket ? bucketFlag : 0, at)
    page.writeUInt32LE(dataAt - at, at + 4)
    page.writeUInt32LE(key.length, at + 8)
    page.writeUInt32LE(value.length, at + 12)
    page.set(key, dataAt)
    page.set(value, dataAt + key.length)
    dataAt += key.length + value.length
  }
  return page
}

function branchBytes(children: readonly { key: Uint8Array; id: number }[], place: { id: number; span: number }) {
  const page = Buffer.alloc(place.span * pageSize)
  writeHeader(page, { ...place, flags: pageFlags.branch, count: children.length })
  let dataAt = sizes.header + children.length * sizes.element
  for (const [n, { key, id }] of children.entries()) {
    const at = sizes.header + n * sizes.element
    page.writeUInt32LE(dataAt - at, at)
    page.writeUInt32LE(key.length, at + 4)
    page.writeBigUInt64LE(BigInt(id), at + 8)
    page.set(key, dataAt)
    dataAt += key.length
  }
  return page
}

/** From 65,535 entries on, the first entry holds the count instead of the header. */
function freelist(span: number, firstFree: number, count: number): Buffer {
  const page = Buffer.alloc(span * pageSize)
  const isLong = count >= 0xffff
  writeHeader(page, { id: freelistPage, flags: pageFlags.freelist, count: isLong ? 0xffff : count, span })
  const ids = Array.from({ length: count }, (_, n) => firstFree + n)
  for (const [n, id] of (isLong ? [count, ...ids] : ids).entries()) {
    page.writeBigUInt64LE(BigInt(id), sizes.header + n * 8)
  }
  return page
}

function metaPage(id: number, meta: { root: number; highWater: number; txid: bigint }): Buffer {
  const page = Buffer.alloc(pageSize)
  writeHeader(page, { id, flags: pageFlags.meta, count: 0, span: 1 })
  const record = page.subarray(sizes.header, sizes.header + sizes.meta)
  record.writeUInt32LE(magic, 0)
  record.writeUInt32LE(formatVersion, 4)
  record.writeUInt32LE(pageSize, 8)
  record.writeBigUInt64LE(BigInt(meta.root), 16)
  record.writeBigUInt64LE(BigInt(freelistPage), 32)
  record.writeBigUInt64LE(BigInt(meta.highWater), 40)
  record.writeBigUInt64LE(meta.txid, 48)
  record.writeBigUInt64LE(fnv1a(record.subarray(0, 56)), 56)
  return page
}

function writeHeader(page: Buffer, header: { id: number; flags: number; count: number; span: number }): void {
  page.writeBigUInt64LE(BigInt(header.id), 0)
  page.writeUInt16LE(header.flags, 8)
  page.writeUInt16LE(header.count, 10)
  page.writeUInt32LE(header.span - 1, 12)
}

/** The 64-bit FNV-1a hash of a meta record. */
export function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash
}
