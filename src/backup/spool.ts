import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { naming } from '../durable-file.js'
import type { SpooledFile } from './store.js'

const spoolName = /^\.ichor-[0-9a-f]{12}\.tmp$/
const batchBytes = 1024 * 1024

/** A new file with a name that no listing shows. */
export function newSpoolPath(folder: string): string {
  return join(folder, `.ichor-${randomBytes(6).toString('hex')}.tmp`)
}

/** Writes a stream to a file and syncs it. A failure leaves no file behind. */
export async function spool(path: string, source: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
  const file = await open(path, 'wx', 0o600)
  try {
    const written = await writeAll(file, dirname(path), source)
    await file.sync().catch(naming(dirname(path)))
    return { path, ...written }
  } catch (thrown) {
    await rm(path, { force: true })
    throw thrown
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, folder: string, source: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let batch: Uint8Array[] = []
  let waiting = 0
  let size = 0
  const flush = async () => {
    if (waiting > 0) await writeFully(file, batch, waiting).catch(naming(folder))
    size += waiting
    batch = []
    waiting = 0
  }
  for await (const bytes of source) {
    hash.update(bytes)
    batch.push(bytes)
    waiting += bytes.length
    if (waiting >= batchBytes) await flush()
  }
  await flush()
  return { size, sha256: hash.digest('hex') }
}

/** A write may be partial, for example on a nearly full disk; the rest is then written or fails. */
async function writeFully(file: FileHandle, batch: readonly Uint8Array[], length: number): Promise<void> {
  const { bytesWritten } = await file.writev([...batch])
  if (bytesWritten < length) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
}

/** Leftovers of killed runs, which have not been written to since then. */
export async function removeOldSpool(folder: string, before: number): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((entry) => spoolName.test(entry))) {
    const path = join(folder, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: before }))
    if (mtimeMs < before) await rm(path, { force: true })
  }
}

/** Hash and size of a stream, for example of what a store returns. */
export async function measure(source: AsyncIterable<Uint8Array>): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const bytes of source) {
    hash.update(bytes)
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}
