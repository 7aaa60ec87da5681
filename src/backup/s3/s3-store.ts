import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { BackupError } from '../snapshot-error.js'
import { newSpoolPath, removeOldSpool, spool } from '../spool.js'
import type { SnapshotStore, StoredObject } from '../store.js'
import { createS3Client, type Patience, type S3Client } from './s3-client.js'
import { s3Error } from './s3-error.js'
import type { S3Location } from './s3-location.js'
import { uploadFile } from './upload.js'
import { elements, findElement } from './xml.js'

/** Snapshots in a bucket of any S3 service. */
export function createS3Store(location: S3Location, patience?: Patience): SnapshotStore {
  const client = createS3Client(location, patience)
  const { prefix } = location
  const where = `s3://${location.bucket}/${prefix}`
  const read = (name: string, signal: AbortSignal) => lazily(() => client.stream(name, signal))
  return {
    location: where,
    spoolFolder: async () => tmpdir(),
    list: (signal) => listObjects(client, prefix, where, signal),
    putFile: (name, file, signal) => uploadFile(client, name, file, signal),
    putText: (name, text, { mustBeNew }, signal) => putText(client, name, text, mustBeNew, where, signal),
    read,
    open: async (name, signal) => {
      const { path } = await spool(newSpoolPath(tmpdir()), read(name, signal))
      return { path, release: () => rm(path, { force: true }) }
    },
    remove: async (name, signal) => void (await client.call({ method: 'DELETE', name }, signal)),
    removeUnfinished: async (before, signal) => {
      await removeOldSpool(tmpdir(), before)
      await abortUploads(client, prefix, before, signal)
    },
  }
}

async function* lazily(start: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await start()
}

/** A page holds a thousand names, or fewer. */
const maxPages = 1000
const maxObjects = 200_000

async function listObjects(
  client: S3Client,
  prefix: string,
  where: string,
  signal: AbortSignal,
): Promise<StoredObject[]> {
  const objects: StoredObject[] = []
  let token: string | undefined
  for (let page = 0; page < maxPages && objects.length <= maxObjects; page++) {
    const more = token === undefined ? {} : { 'continuation-token': token }
    const query = { 'list-type': '2', prefix, 'encoding-type': 'url', ...more }
    const { body } = await client.call({ method: 'GET', query }, signal)
    for (const entry of elements(body, 'Contents')) objects.push(objectOf(entry, prefix))
    token = findElement(body, 'NextContinuationToken')
    if (findElement(body, 'IsTruncated') !== 'true' || token === undefined) return objects
  }
  throw new BackupError(`The S3 service lists more than ${maxObjects} objects, or its list has no end.`, {
    where,
    fix: 'Keep snapshots under a prefix of their own: backup.etcd.store.',
  })
}

function objectOf(entry: string, prefix: string): StoredObject {
  return {
    name: keyOf(entry).slice(prefix.length),
    size: Number(findElement(entry, 'Size')),
    modified: Date.parse(findElement(entry, 'LastModified') ?? ''),
  }
}

function keyOf(entry: string): string {
  const written = findElement(entry, 'Key') ?? ''
  try {
    return decodeURIComponent(written.replaceAll('+', ' '))
  } catch {
    return written
  }
}

/** For a service without conditional requests, check first whether the object exists. */
async function putText(
  client: S3Client,
  name: string,
  text: string,
  mustBeNew: boolean,
  where: string,
  signal: AbortSignal,
): Promise<void> {
  const request = { method: 'PUT', name, body: Buffer.from(text) } as const
  if (!mustBeNew) return void (await client.call(request, signal))
  const answer = await client.attempt({ ...request, headers: { 'if-none-match': '*' } }, signal)
  if (!('status' in answer)) return
  if (answer.status !== 501) {
    const isOurs = answer.status === 412 && (await holds(client, name, text, signal))
    if (isOurs) return
    throw s3Error(answer, `${where}${name}`)
  }
  const existing = await client.attempt({ method: 'HEAD', name }, signal)
  if (!('status' in existing)) {
    throw new BackupError('There is an object of that name already.', {
      where: `${where}${name}`,
      fix: 'Look at the store with `ichor backup list`.',
    })
  }
  await client.call(request, signal)
}

/** After a lost response the write is repeated: then the existing object is the one that we wrote. */
async function holds(client: S3Client, name: string, text: string, signal: AbortSignal): Promise<boolean> {
  const found = await client.attempt({ method: 'GET', name }, signal)
  return !('status' in found) && found.body === text
}

/** Parts that a killed run left behind are invisible and cost money. */
async function abortUploads(client: S3Client, prefix: string, before: number, signal: AbortSignal): Promise<void> {
  const listing = await client.attempt(
    { method: 'GET', query: { uploads: '', prefix, 'encoding-type': 'url' } },
    signal,
  )
  if ('status' in listing) return
  for (const upload of elements(listing.body, 'Upload')) {
    const uploadId = findElement(upload, 'UploadId') ?? ''
    if (Date.parse(findElement(upload, 'Initiated') ?? '') >= before) continue
    await client.attempt({ method: 'DELETE', name: keyOf(upload).slice(prefix.length), query: { uploadId } }, signal)
  }
}
