import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** Bytes with random access. */
export interface ByteSource {
  readonly size: number
  read(at: number, length: number): Promise<Buffer>
}

/** Size of the blocks that are read and cached; database pages are parts of one. */
const blockSize = 64 * 1024
const blocksKept = 128

/** Reads whole blocks and caches the last ones, so that many small reads become few large ones. */
export function blockSource(size: number, load: (block: number) => Buffer): ByteSource {
  const kept = new Map<number, Buffer>()
  const blockAt = (index: number): Buffer => {
    const known = kept.get(index)
    if (known !== undefined) {
      kept.delete(index)
      kept.set(index, known)
      return known
    }
    const block = load(index)
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
      if (first === last) return blockAt(first).subarray(at - first * blockSize, at + length - first * blockSize)
      const blocks: Buffer[] = []
      for (let index = first; index <= last; index++) blocks.push(blockAt(index))
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

/**
 * The same into a reused buffer. It blocks: passing half a million small reads to other threads costs more than the
 * reads.
 */
export function readAgain(file: FileHandle, at: number, buffer: Buffer): Buffer {
  let used = 0
  while (used < buffer.length) {
    const count = readSync(file.fd, buffer, used, buffer.length - used, at + used)
    if (count === 0) break
    used += count
  }
  return buffer.subarray(0, used)
}

/** A plain file. */
export function fileSource(file: FileHandle, size: number): ByteSource {
  return blockSource(size, (block) => readAgain(file, block * blockSize, Buffer.allocUnsafeSlow(blockSize)))
}

/** All bytes, in order. */
export async function* bytesOf(source: ByteSource): AsyncGenerator<Buffer> {
  for (let at = 0; at < source.size; at += blockSize) yield source.read(at, Math.min(blockSize, source.size - at))
}
