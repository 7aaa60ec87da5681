import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { measure, spool } from '../spool.js'
import { readText, type SnapshotStore } from '../store.js'
import { inParts } from '../testing.js'
import { createS3Store } from './s3-store.js'
import { partSize } from './upload.js'

const { signal } = new AbortController()
const objects = new Map<string, Buffer>()
const uploads = new Map<string, Map<number, Buffer>>()
/** Handles a request instead of the service; `false` passes it on. */
let trouble: (request: IncomingMessage, url: URL, response: ServerResponse) => boolean = () => false
let server: Server
let store: SnapshotStore
let folder: string

beforeEach(async () => {
  objects.clear()
  uploads.clear()
  trouble = () => false
  server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const credentials = { accessKey: 'a', secretKey: 'b' }
  const location = { bucket: 'bucket', prefix: 'dev/', endpoint, region: 'us-east-1', credentials }
  store = createS3Store(location, { idleMs: 1000, retryAfterMs: [1, 1] })
  folder = await mkdtemp(join(tmpdir(), 'ichor-s3-'))
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

/** The part of S3 that the store uses, in memory. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://x')
  if (trouble(request, url, response)) return
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  const [status, body, headers] = answerTo(request, url, Buffer.concat(parts))
  response.writeHead(status, headers).end(body)
}

function answerTo(
  { method, headers }: IncomingMessage,
  url: URL,
  body: Buffer,
): [number, string | Buffer, Record<string, string>] {
  const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '')
  const uploadId = url.searchParams.get('uploadId')
  const part = Number(url.searchParams.get('partNumber'))
  if (method === 'POST' && url.searchParams.has('uploads')) {
    uploads.set(key, new Map())
    return [200, `<UploadId>${key}</UploadId>`, {}]
  }
  if (method === 'POST' && !uploads.has(key)) return [404, '<Error><Code>NoSuchUpload</Code></Error>', {}]
  if (method === 'POST') {
    objects.set(
      key,
      Buffer.concat([...(uploads.get(key) ?? [])].sort(([one], [other]) => one - other).map(([, data]) => data)),
    )
    uploads.delete(key)
    return [200, '<CompleteMultipartUploadResult/>', {}]
  }
  if (method === 'DELETE') {
    const from = uploadId === null ? objects : uploads
    from.delete(key)
    return [204, '', {}]
  }
  if (method === 'PUT' && uploadId !== null) {
    uploads.get(key)?.set(part, body)
    return [200, '', { etag: `"${part}"` }]
  }
  if (method === 'PUT') {
    if (headers['if-none-match'] === '*' && objects.has(key))
      return [412, '<Error><Code>PreconditionFailed</Code></Error>', {}]
    objects.set(key, body)
    return [200, '', {}]
  }
  if (key === '') return [200, listing(url), {}]
  const found = objects.get(key)
  if (method === 'HEAD' && found !== undefined) return [200, '', { 'content-length': String(found.length) }]
  return found === undefined ? [404, '<Error><Code>NoSuchKey</Code></Error>', {}] : [200, found, {}]
}

/** One object per page, so that every listing has several pages. */
function listing(url: URL): string {
  const keys = [...objects.keys()].sort()
  const at = Number(url.searchParams.get('continuation-token') ?? 0)
  const entry =
    keys[at] === undefined
      ? ''
      : `<Contents><Key>${encodeURIComponent(keys[at])}</Key><LastModified>2026-11-15T12:00:00.000Z</LastModified><Size>${objects.get(keys[at])?.length}</Size></Contents>`
  const more =
    at + 1 < keys.length
      ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${at + 1}</NextContinuationToken>`
      : ''
  return `<ListBucketResult>${entry}${more}</ListBucketResult>`
}

async function put(name: string, size: number): Promise<string> {
  const file = await spool(join(folder, name), inParts(randomBytes(size), 100_000))
  await store.putFile(name, file, signal)
  return file.sha256
}

test.each([0, 1000, partSize, partSize + 1, 2 * partSize + 5])('%i bytes come back as they were', async (size) => {
  const sha256 = await put('one.etcd.age', size)
  expect(await measure(store.read('one.etcd.age', signal))).toEqual({ size, sha256 })
  expect(uploads.size).toBe(0)
})

test('a listing goes on to its end, and knows names below the prefix only', async () => {
  for (const name of ['a.json', 'b.json', 'c d&.json']) await store.putText(name, name, { mustBeNew: true }, signal)
  expect((await store.list(signal)).map(({ name, size }) => [name, size])).toEqual([
    ['a.json', 6],
    ['b.json', 6],
    ['c d&.json', 9],
  ])
  await store.remove('b.json', signal)
  expect((await store.list(signal)).map(({ name }) => name)).toEqual(['a.json', 'c d&.json'])
})

test('what must be new does not replace another, unless it is the same after a lost answer', async () => {
  await store.putText('a.json', 'one', { mustBeNew: true }, signal)
  await expect(store.putText('a.json', 'two', { mustBeNew: true }, signal)).rejects.toThrow('PreconditionFailed')
  await store.putText('a.json', 'one', { mustBeNew: true }, signal)
  expect(await readText(store, 'a.json', signal)).toBe('one')
})

test('a service without conditions is asked first', async () => {
  trouble = (request, _, response) => {
    if (request.headers['if-none-match'] === undefined) return false
    response.writeHead(501).end('<Error><Code>NotImplemented</Code></Error>')
    return true
  }
  await store.putText('a.json', 'one', { mustBeNew: true }, signal)
  await expect(store.putText('a.json', 'two', { mustBeNew: true }, signal)).rejects.toThrow(
    'an object of that name already',
  )
})

const once = (act: typeof trouble): typeof trouble => {
  let isOver = false
  return (...all) => {
    if (isOver) return false
    isOver = act(...all)
    return isOver
  }
}

const refuse =
  (status: number, code: string): typeof trouble =>
  (_, __, response) => {
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
    return true
  }
const cut: typeof trouble = (request) => {
  request.socket.destroy()
  return true
}
const hang: typeof trouble = () => true
const atPart =
  (act: typeof trouble): typeof trouble =>
  (request, url, response) =>
    url.searchParams.has('partNumber') && act(request, url, response)
const atEnd =
  (act: typeof trouble): typeof trouble =>
  (request, url, response) =>
    request.method === 'POST' && url.searchParams.has('uploadId') && act(request, url, response)

/** The service did it, but the response was lost. */
const answerLost: typeof trouble = (request, url) => {
  const key = decodeURIComponent(url.pathname).replace('/bucket/', '')
  answerTo(request, url, Buffer.alloc(0))
  expect(objects.has(key)).toBe(true)
  request.socket.destroy()
  return true
}

test.each<[string, typeof trouble]>([
  ['is overloaded once', refuse(503, 'SlowDown')],
  ['cuts a connection once', cut],
  ['ends an upload and loses the answer', atEnd(answerLost)],
  ['hangs once', hang],
])('a service that %s is asked again', async (_, act) => {
  trouble = once(act)
  const sha256 = await put('one.etcd.age', partSize + 9)
  expect((await measure(store.read('one.etcd.age', signal))).sha256).toBe(sha256)
})

test.each<[string, typeof trouble, string]>([
  ['refuses the key', refuse(403, 'InvalidAccessKeyId'), 'InvalidAccessKeyId'],
  ['is full', atPart(refuse(403, 'QuotaExceeded')), 'QuotaExceeded'],
  ['fails at the end with status 200', atEnd(refuse(200, 'InternalError')), 'InternalError'],
  ['cuts every upload', atPart(cut), 'does not answer'],
  ['hangs for ever', atPart(hang), 'no answer for 1 s'],
])('a service that %s leaves nothing listed', async (_, act, message) => {
  trouble = act
  await expect(put('one.etcd.age', 2 * partSize)).rejects.toThrow(message)
  trouble = () => false
  expect(await store.list(signal)).toEqual([])
})

test('a download that is cut off fails, and leaves no file', async () => {
  await put('one.etcd.age', 500_000)
  trouble = (_, __, response) => {
    response.writeHead(200, { 'content-length': '500000' }).write(Buffer.alloc(1000))
    setTimeout(() => response.destroy(), 20)
    return true
  }
  const before = await readdir(tmpdir())
  await expect(store.open('one.etcd.age', signal)).rejects.toThrow('does not answer')
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('.ichor-') && !before.includes(name))).toEqual([])
})

const isLast = '<IsTruncated>false</IsTruncated>'
const hasMore = '<IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>'
const lists =
  (entries: string, end: string): typeof trouble =>
  (_, __, response) => {
    response.writeHead(200).end(`<ListBucketResult>${entries}${end}</ListBucketResult>`)
    return true
  }

test('a list without an end is an error: half of it would look like all of it', async () => {
  trouble = lists('<Contents><Key>dev/a</Key></Contents>'.repeat(5000), hasMore)
  await expect(store.list(signal)).rejects.toThrow('has no end')
})

test('a name whose encoding is broken is listed as it is written', async () => {
  trouble = lists('<Contents><Key>dev/%ZZ</Key><Size>1</Size></Contents>', isLast)
  expect((await store.list(signal)).map(({ name }) => name)).toEqual(['%ZZ'])
})
