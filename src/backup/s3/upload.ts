import { open } from 'node:fs/promises'
import { readFully } from '../byte-source.js'
import type { SpooledFile } from '../store.js'
import type { S3Client } from './s3-client.js'
import { s3Error } from './s3-error.js'
import { escapeXml, findElement } from './xml.js'

/** Larger files are uploaded in parts of this size; one part is held in memory. @internal */
export const partSize = 16 * 1024 * 1024

/** Uploads a file. The object appears complete with the last request, or not at all. */
export async function uploadFile(
  client: S3Client,
  name: string,
  file: SpooledFile,
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(file.path)
  const readPart = (index: number) =>
    readFully(handle, index * partSize, Math.min(partSize, file.size - index * partSize))
  try {
    if (file.size <= partSize) await client.call({ method: 'PUT', name, body: await readPart(0) }, signal)
    else await uploadParts(client, name, file.size, readPart, signal)
  } finally {
    await handle.close()
  }
}

async function uploadParts(
  client: S3Client,
  name: string,
  size: number,
  readPart: (index: number) => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const started = await client.call({ method: 'POST', name, query: { uploads: '' } }, signal)
  const uploadId = findElement(started.body, 'UploadId') ?? ''
  try {
    const tags: string[] = []
    for (let index = 0; index * partSize < size; index++) {
      const query = { partNumber: String(index + 1), uploadId }
      const { headers } = await client.call({ method: 'PUT', name, query, body: await readPart(index) }, signal)
      tags.push(headers.etag ?? '')
    }
    await complete(client, name, { uploadId, tags, size }, signal)
  } catch (thrown) {
    const patience = AbortSignal.timeout(10_000)
    await client.attempt({ method: 'DELETE', name, query: { uploadId } }, patience).catch(() => undefined)
    throw thrown
  }
}

/** If the response was lost, the second request finds no upload: then the object exists with this size. */
async function complete(
  client: S3Client,
  name: string,
  { uploadId, tags, size }: { uploadId: string; tags: readonly string[]; size: number },
  signal: AbortSignal,
): Promise<void> {
  const request = { method: 'POST', name, query: { uploadId }, body: Buffer.from(completion(tags)) } as const
  const answer = await client.attempt(request, signal)
  if (!('status' in answer)) return
  const stored = answer.code === 'NoSuchUpload' ? await client.attempt({ method: 'HEAD', name }, signal) : answer
  if (!('status' in stored) && Number(stored.headers['content-length']) === size) return
  throw s3Error(answer, name)
}

function completion(tags: readonly string[]): string {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}
