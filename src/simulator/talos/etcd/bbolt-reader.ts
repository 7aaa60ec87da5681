import { type Buckets, bucketFlag, type Entry, fnv1a, formatVersion, magic, pageFlags, sizes } from './bbolt-writer.js'

/** Reads the buckets of a bbolt database; `undefined` if it is not one, or damaged. */
export function readBbolt(file: Buffer): Buckets | undefined {
  try {
    const meta = findMeta(file)
    if (meta === undefined) return undefined
    const buckets = [...elementsBelow(file, meta.pageSize, meta.root)].map(
      ({ key, value }) => [key.toString(), bucketEntries(file, meta.pageSize, value)] as const,
    )
    return new Map(buckets)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

interface Meta {
  readonly pageSize: number
  readonly root: number
  readonly txid: bigint
}

interface Element {
  readonly flags: number
  readonly key: Buffer
  readonly value: Buffer
}

/** The newer of the valid meta records. */
function findMeta(file: Buffer): Meta | undefined {
  const first = readMeta(file, 0)
  const second = readMeta(file, first?.pageSize ?? 4096)
  if (first === undefined || second === undefined) return first ?? second
  return first.txid > second.txid ? first : second
}

function readMeta(file: Buffer, at: number): Meta | undefined {
  const record = file.subarray(at + sizes.header, at + sizes.header + sizes.meta)
  if (record.length < sizes.meta || record.readUInt32LE(0) !== magic) return undefined
  if (record.readUInt32LE(4) !== formatVersion || record.readBigUInt64LE(56) !== fnv1a(record.subarray(0, 56)))
    return undefined
  return {
    pageSize: record.readUInt32LE(8),
    root: Number(record.readBigUInt64LE(16)),
    txid: record.readBigUInt64LE(48),
  }
}

function bucketEntries(file: Buffer, pageSize: number, value: Buffer): Entry[] {
  const root = Number(value.readBigUInt64LE(0))
  const elements = root === 0 ? leafElements(value.subarray(sizes.bucket)) : [...elementsBelow(file, pageSize, root)]
  return elements.filter(({ flags }) => flags !== bucketFlag).map(({ key, value: content }) => [key, content] as const)
}

function* elementsBelow(file: Buffer, pageSize: number, id: number, depth = 0): Generator<Element> {
  const page = file.subarray(id * pageSize)
  if (depth > 32) throw new RangeError('The pages of the database form a circle.')
  if (page.readUInt16LE(8) === pageFlags.leaf) yield* leafElements(page)
  else if (page.readUInt16LE(8) === pageFlags.branch)
    for (const child of children(page)) yield* elementsBelow(file, pageSize, child, depth + 1)
  else throw new RangeError(`Page ${id} is neither a leaf nor a branch.`)
}

function children(page: Buffer): number[] {
  return elementOffsets(page).map((at) => Number(page.readBigUInt64LE(at + 8)))
}

function leafElements(page: Buffer): Element[] {
  return elementOffsets(page).map((at) => {
    const keyAt = at + page.readUInt32LE(at + 4)
    const valueAt = keyAt + page.readUInt32LE(at + 8)
    const end = valueAt + page.readUInt32LE(at + 12)
    if (end > page.length) throw new RangeError('A value reaches beyond the file.')
    return { flags: page.readUInt32LE(at), key: page.subarray(keyAt, valueAt), value: page.subarray(valueAt, end) }
  })
}

function elementOffsets(page: Buffer): number[] {
  return Array.from({ length: page.readUInt16LE(10) }, (_, n) => sizes.header + n * sizes.element)
}
