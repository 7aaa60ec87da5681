import type { FileHandle } from 'node:fs/promises'

/** Bytes that can be read anywhere. */
export interface ByteSource {
  readonly size: number
  read(at: number, length: number): Promise<Buffer>
}

/** Size of the blocks that are read and kept; pages of a database are parts of one. */
const blockSize = 64 * 1024
const blocksKept = 256

/** Reads whole blocks and keeps the last ones, so that many small reads cost few large ones. */
export function blockSource(size: number, load: (block: number) => Promise<Buffer>): ByteSource {
  const kept = new Map<number, Buffer>()
  const blockAt = async (index: number): Promise<Buffer> => {
    const known = kept.get(index)
    if (known !== undefined) {
      kept.delete(index)
      kept.set(index, known)
      return known
    }
    const block = await load(index)
    const [oldest] = kept.keys()
    if (kept.size >= blocksKept && oldest !== undefined) kept.delete(oldest)
    kept.set(index, block)
    return block
  }
  return {
    size,
    read: async (at, length) => {
      const first = Math.floor(at / blockSize)
      const last = Math.floor((at + length - 1) / blockSize)
      if (first === last)
        return (await blockAt(first)).subarray(at - first * blockSize, at + length - first * blockSize)
      const blocks: Buffer[] = []
      for (let index = first; index <= last; index++) blocks.push(await blockAt(index))
      return Buffer.concat(blocks).subarray(at - first * blockSize, at + length - first * blockSize)
    },
  }
}

/** Reads exactly these bytes; fewer only at the end of the file. */
export async function readFully(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length)
  let used = 0
  while (used < length) {
    const { bytesRead } = await file.read(buffer, used, length - used, at + used)
    if (bytesRead === 0) break
    used += bytesRead
  }
  return buffer.subarray(0, used)
}

/** A file as it lies there. */
export function fileSource(file: FileHandle, size: number): ByteSource {
  return blockSource(size, (block) => readFully(file, block * blockSize, blockSize))
}

/** All of it, from the first byte to the last. */
export async function* bytesOf(source: ByteSource): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += blockSize) yield source.read(at, Math.min(blockSize, source.size - at))
}
