import { chunkSize, sealChunk } from './chunks.js'
import type { PayloadKey } from './payload-key.js'

/** The bytes of an age file, streamed from the source. Holds one chunk at a time. */
export async function* encrypt(
  { key, header }: PayloadKey,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield header
  const chunk = new Uint8Array(chunkSize)
  let used = 0
  let index = 0
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      if (used === chunkSize) {
        yield* sealChunk(key, index++, false, chunk)
        used = 0
      }
      const taken = Math.min(chunkSize - used, bytes.length - at)
      chunk.set(bytes.subarray(at, at + taken), used)
      used += taken
      at += taken
    }
  }
  yield* sealChunk(key, index, true, chunk.subarray(0, used))
}
