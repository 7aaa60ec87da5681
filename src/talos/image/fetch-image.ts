import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { naming } from '../../durable-file.js'
import { FactoryError } from './factory-error.js'
import type { FactoryPort } from './port.js'

export interface WantedImage {
  readonly url: string
  readonly checksum?: { readonly algorithm: 'sha256' | 'sha512'; readonly value: string }
}

/** The file that was written, for the upload. */
export interface FetchedImage {
  readonly byteLength: number
  readonly sha256: string
}

/**
 * Downloads an image to a file on this computer, for upload to hosts that cannot reach the factory. Refuses a truncated
 * download or a wrong checksum.
 */
export async function fetchImage(
  factory: Pick<FactoryPort, 'download'>,
  image: WantedImage,
  path: string,
  signal: AbortSignal,
): Promise<FetchedImage> {
  const { size, bytes } = await factory.download(image.url, signal)
  const hashes = { sha256: createHash('sha256'), sha512: createHash('sha512') }
  const file = await open(path, 'wx', 0o600)
  let received = 0
  try {
    for await (const chunk of bytes) {
      await file.writeFile(chunk).catch(naming(path))
      for (const hash of Object.values(hashes)) hash.update(chunk)
      received += chunk.byteLength
    }
  } catch (cause) {
    signal.throwIfAborted()
    if ((cause as NodeJS.ErrnoException).path === path) throw cause
    throw incomplete(image.url, size, received, cause)
  } finally {
    await file.close()
  }
  if (received !== size) throw incomplete(image.url, size, received)
  const digests = { sha256: hashes.sha256.digest('hex'), sha512: hashes.sha512.digest('hex') }
  if (image.checksum !== undefined) compare(digests[image.checksum.algorithm], image.checksum.value, image.url)
  return { byteLength: received, sha256: digests.sha256 }
}

function compare(actual: string, expected: string, url: string): void {
  if (actual === expected.toLowerCase()) return
  throw new FactoryError(`The image has the checksum ${actual}, and ${expected} was expected.`, {
    where: url,
    fix: 'Correct the checksum in the inventory, or check who changed the image.',
  })
}

function incomplete(url: string, size: number, received: number, cause?: unknown): FactoryError {
  return new FactoryError(`The image ended after ${received} of ${size} bytes.`, {
    where: url,
    fix: 'Run the command again.',
    cause,
  })
}
