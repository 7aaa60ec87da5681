import { createCipheriv, createDecipheriv } from 'node:crypto'

/** age splits a file into chunks of 64 KiB; each is sealed separately and can be opened alone. */
export const chunkSize = 64 * 1024
export const tagSize = 16
export const sealedChunkSize = chunkSize + tagSize

const cipher = 'chacha20-poly1305'
const options = { authTagLength: tagSize }

/** The sealed chunk in two parts: the ciphertext and its tag. */
export function sealChunk(key: Uint8Array, index: number, isLast: boolean, chunk: Uint8Array): [Buffer, Buffer] {
  const sealing = createCipheriv(cipher, key, nonceOf(index, isLast), options)
  const sealed = sealing.update(chunk)
  sealing.final()
  return [sealed, sealing.getAuthTag()]
}

/** `undefined` if it was changed, or is not that chunk. */
export function openChunk(key: Uint8Array, index: number, isLast: boolean, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < tagSize) return undefined
  const opening = createDecipheriv(cipher, key, nonceOf(index, isLast), options)
  opening.setAuthTag(sealed.subarray(-tagSize))
  const chunk = opening.update(sealed.subarray(0, -tagSize))
  try {
    opening.final()
    return chunk
  } catch {
    return undefined
  }
}

/** A counter of eleven bytes, and one byte that marks the last chunk. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
