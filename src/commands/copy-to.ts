import type { Context } from './frame/context.js'

/**
 * Copies bytes of a node to stdout; characters that are split between chunks are kept intact. Ctrl-C ends it with
 * success.
 */
export async function copyTo({ stdout, signal }: Context, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of bytes) stdout.write(decoder.decode(chunk, { stream: true }))
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
  stdout.write(decoder.decode())
}
