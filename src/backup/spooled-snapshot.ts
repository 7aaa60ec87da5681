import { open, rm } from 'node:fs/promises'
import { encrypt } from './age/encrypt.js'
import { openPayload } from './age/open-age-file.js'
import { makePayloadKey } from './age/payload-key.js'
import type { ByteSource } from './byte-source.js'
import { newSpoolPath, spool } from './spool.js'
import type { SnapshotStore } from './store.js'

/** Reads a temporary snapshot, which is on disk, encrypted, only while `read` needs it. */
export async function readSpooled<T>(
  stream: AsyncIterable<Uint8Array>,
  {
    store,
    recipients,
    from,
  }: { readonly store: SnapshotStore; readonly recipients: readonly string[]; readonly from: string },
  read: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const [key, folder] = await Promise.all([makePayloadKey(recipients), store.spoolFolder()])
  const path = newSpoolPath(folder)
  try {
    const { size } = await spool(path, encrypt(key, stream))
    const file = await open(path)
    try {
      return await read(openPayload(file, size, key, from))
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}
