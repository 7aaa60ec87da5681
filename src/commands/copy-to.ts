import { printable } from '../report/printable.js'
import type { Context } from './frame/context.js'

/**
 * Copies bytes of a node to stdout; characters that are split between chunks are kept intact. A terminal gets no
 * control characters: any container may log some. Ctrl-C ends it with success.
 */
export async function copyTo({ stdout, signal }: Context, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder()
  const write = (text: string) => stdout.write(stdout.isTTY === true ? printable(text) : text)
  try {
    for await (const chunk of bytes) write(decoder.decode(chunk, { stream: true }))
  } catch (thrown) {
    if (!signal.aborted) throw thrown
  }
  write(decoder.decode())
}
