import type { FileHandle } from 'node:fs/promises'
import { type ByteSource, blockSource, readAgain, readFully } from '../byte-source.js'
import { SnapshotRefused } from '../snapshot-error.js'
import { chunkSize, openChunk, sealedChunkSize, tagSize } from './chunks.js'
import { openPayloadKey, type PayloadKey } from './payload-key.js'

const maxHeaderBytes = 64 * 1024

/** The decrypted bytes of a file, with any of the keys that fits. */
export async function openAgeFile(
  file: FileHandle,
  size: number,
  identities: readonly string[],
  where: string,
): Promise<ByteSource> {
  const start = await readFully(file, 0, Math.min(size, maxHeaderBytes))
  return openPayload(file, size, await openPayloadKey(start, identities, where), where)
}

/** The decrypted bytes of a file whose key is known, for example one that we wrote. Every byte is authenticated. */
export function openPayload(file: FileHandle, size: number, { key, header }: PayloadKey, where: string): ByteSource {
  const payload = size - header.length
  const chunks = Math.max(1, Math.ceil(payload / sealedChunkSize))
  if (payload - (chunks - 1) * sealedChunkSize < tagSize) throw truncated(where)
  const buffer = Buffer.allocUnsafeSlow(sealedChunkSize)
  return blockSource(payload - chunks * tagSize, (index) => {
    const sealed = readAgain(file, header.length + index * sealedChunkSize, buffer)
    const isLast = index === chunks - 1
    const chunk = openChunk(key, index, isLast, sealed)
    if (chunk !== undefined) return chunk
    throw isLast && openChunk(key, index, false, sealed) !== undefined ? truncated(where) : changed(index, where)
  })
}

function truncated(where: string): SnapshotRefused {
  return new SnapshotRefused('truncated', 'The encrypted file ends too early.', {
    where,
    fix: 'Choose another snapshot from `ichor backup list`.',
  })
}

function changed(chunk: number, where: string): SnapshotRefused {
  const from = chunk * chunkSize
  return new SnapshotRefused('corrupt', `The encrypted file was changed near byte ${from} of its content.`, {
    where,
    fix: 'Choose another snapshot from `ichor backup list`.',
  })
}
