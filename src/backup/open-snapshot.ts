import { type FileHandle, open } from 'node:fs/promises'
import { openAgeFile } from './age/open-age-file.js'
import { type ByteSource, fileSource } from './byte-source.js'
import type { Manifest } from './manifest.js'
import { SnapshotRefused } from './snapshot-error.js'
import { objectsOf } from './snapshot-name.js'
import { measure } from './spool.js'
import type { SnapshotStore } from './store.js'

/** The decrypted bytes of a snapshot, while it is open. */
export interface OpenSnapshot {
  readonly source: ByteSource
  readonly where: string
  close(): Promise<void>
}

/** Opens a stored snapshot, after its size and hash were compared with its manifest. */
export async function openSnapshot(
  store: SnapshotStore,
  manifest: Manifest,
  identities: readonly string[],
  signal: AbortSignal,
): Promise<OpenSnapshot> {
  const name = objectsOf(manifest.name).etcd
  const local = await store.open(name, signal)
  const file = await open(local.path)
  const close = async () => {
    await file.close()
    await local.release()
  }
  try {
    const { size } = await file.stat()
    await refuseChanged(file, size, manifest, name)
    return { source: await openAgeFile(file, size, identities, name), where: name, close }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** A file that ichor did not write: plain, or encrypted with age. */
export async function openForeignFile(path: string, identities: readonly string[]): Promise<OpenSnapshot> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const source = (await isAge(file)) ? await openAgeFile(file, size, identities, path) : fileSource(file, size)
    return { source, where: path, close: () => file.close() }
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

async function isAge(file: FileHandle): Promise<boolean> {
  const start = Buffer.alloc(19)
  await file.read(start, 0, start.length, 0)
  return start.toString('latin1').startsWith('age-encryption.org/')
}

async function refuseChanged(file: FileHandle, size: number, manifest: Manifest, where: string): Promise<void> {
  const fix = 'Choose another snapshot from `ichor backup list`.'
  if (size < manifest.encrypted_size) {
    throw new SnapshotRefused('truncated', `The file has ${size} of ${manifest.encrypted_size} bytes.`, { where, fix })
  }
  const { sha256 } = await measure(file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 }))
  if (sha256 === manifest.encrypted_sha256) return
  throw new SnapshotRefused('corrupt', 'The file was changed: its SHA-256 is not the one in its manifest.', {
    where,
    fix,
  })
}
