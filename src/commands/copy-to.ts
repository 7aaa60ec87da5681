import type { Context } from './frame/context.js'

/** Bytes of a node to stdout as they come; letters that are cut in two between chunks stay whole. Ctrl-C ends it well. */
export async function copyTo({ stdout, signal }: Context, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of bytes) stdout.write(decoder.decode(chunk, { stream: true }))
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
  stdout.write(decoder.decode())
}
