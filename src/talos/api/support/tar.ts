import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { replaceDurably } from '../../../durable-file.js'
import type { SupportFile } from './node-report.js'

const blockSize = 512

/** Writes files to a `.tar.gz` that only its owner can read, one by one. */
export async function writeTarGz(path: string, files: AsyncIterable<SupportFile>, at: Date): Promise<void> {
  const archive = Readable.from(blocksOf(files, at))
  await replaceDurably(path, (temporary) =>
    pipeline(archive, createGzip(), createWriteStream(temporary, { mode: 0o600, flags: 'wx' })),
  )
}

async function* blocksOf(files: AsyncIterable<SupportFile>, at: Date): AsyncIterable<Buffer> {
  for await (const { path, text } of files) {
    const content = Buffer.from(text)
    yield headerOf(path, content.length, at)
    yield content
    yield Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)
  }
  yield Buffer.alloc(2 * blockSize)
}

/** A ustar header: every field has its place, numbers are octal text. */
function headerOf(path: string, size: number, at: Date): Buffer {
  const header = Buffer.alloc(blockSize)
  const { name, prefix } = splitPath(path)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o600, 8), 100)
  header.write(octal(0, 8), 108)
  header.write(octal(0, 8), 116)
  header.write(octal(size, 12), 124)
  header.write(octal(Math.floor(at.getTime() / 1000), 12), 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

const longestName = 100

function splitPath(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= longestName) return { name: path, prefix: '' }
  const cut = path.indexOf('/', path.length - longestName)
  return { name: path.slice(cut + 1), prefix: path.slice(0, cut) }
}
