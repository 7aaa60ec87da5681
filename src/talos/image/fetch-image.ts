import { createHash } from 'node:crypto'
import type { Factory } from './factory.js'
import { FactoryError } from './factory-error.js'

/**
 * A whole image in memory, to be uploaded to hosts that cannot reach the factory themselves. An image that ends early
 * or has another checksum is refused.
 */
export async function fetchImage(
  factory: Pick<Factory, 'download'>,
  image: { readonly url: string; readonly sha256?: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { size, bytes } = await factory.download(image.url, signal)
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of bytes) chunks.push(chunk)
  } catch (cause) {
    signal.throwIfAborted()
    throw incomplete(image.url, size, chunks, cause)
  }
  const whole = Buffer.concat(chunks)
  if (whole.byteLength !== size) throw incomplete(image.url, size, chunks)
  if (image.sha256 !== undefined) checkSum(whole, image.sha256, image.url)
  return whole
}

function checkSum(bytes: Uint8Array, expected: string, url: string): void {
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (actual === expected.toLowerCase()) return
  throw new FactoryError(`The image has the SHA-256 ${actual}, and ${expected} was expected.`, {
    where: url,
    fix: 'Correct the checksum in the inventory, or find out who changed the image.',
  })
}

function incomplete(url: string, size: number, chunks: readonly Uint8Array[], cause?: unknown): FactoryError {
  const received = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  return new FactoryError(`The image ended after ${received} of ${size} bytes.`, {
    where: url,
    fix: 'Run the command again.',
    cause,
  })
}
