import type { CallOptions } from '@connectrpc/connect'
import type { Data } from '../../wire/common/common_pb.js'
import type { Channel, Silence } from './channel.js'
import { answered } from './talos-error.js'

/** The bytes of a stream of `common.Data`. A failure is sent as a message (Talos up to 1.13) or as the status. */
export async function* bytesOf(
  channel: Channel,
  call: string,
  silence: Silence,
  signal: AbortSignal,
  run: (options: CallOptions) => AsyncIterable<Data>,
): AsyncIterable<Uint8Array> {
  for await (const { metadata, bytes } of channel.stream(call, silence, signal, run)) {
    const problem = metadata?.error ?? ''
    if (problem !== '') throw answered('Unknown', problem, channel.target, call)
    if (bytes.length > 0) yield bytes
  }
}

const maxBytes = 16 * 1024 * 1024

/** All bytes at once, for small data. */
export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > maxBytes) throw new Error('what the node sends is far too long')
  }
  return Buffer.concat(chunks)
}
