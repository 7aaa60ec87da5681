import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { decodeMedium } from '../../core/medium.js'
import { nameOf } from '../access/permissions.js'
import { died, taskText } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { downloadTime } from '../durations.js'
import { type Call, find, type Routes, text } from '../http/call.js'
import type { StorageState } from '../state.js'
import type { Worker } from '../tasks.js'
import { contentOf, findVolume, getStorage, pathOf } from './storages.js'
import { fileNameFor, keepFile } from './upload.js'

interface Fetched {
  readonly status: number
  readonly reason: string
  readonly type: string
  readonly disposition: string
  readonly bytes: Buffer
}

const maxRedirects = 5

/** Really downloads. Certificates are checked only on request, like wget. */
async function fetchUrl(
  url: string,
  options: { method: 'GET' | 'HEAD'; verify: boolean; signal?: AbortSignal },
  hops = 0,
): Promise<Fetched> {
  const answer = await request(url, options)
  const location = answer.location
  if (answer.status >= 300 && answer.status < 400 && location !== undefined && hops < maxRedirects)
    return fetchUrl(new URL(location, url).href, options, hops + 1)
  return answer
}

function request(
  url: string,
  { method, verify, signal }: { method: string; verify: boolean; signal?: AbortSignal },
): Promise<Fetched & { location?: string }> {
  const client = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    const outgoing = client.request(
      url,
      {
        method,
        rejectUnauthorized: verify,
        agent: false,
        headers: { 'User-Agent': 'Wget/1.21.3' },
        ...(signal === undefined ? {} : { signal }),
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            reason: incoming.statusMessage ?? '',
            type: incoming.headers['content-type'] ?? '',
            disposition: incoming.headers['content-disposition'] ?? '',
            bytes:
              method === 'HEAD' ? Buffer.alloc(Number(incoming.headers['content-length'] ?? 0)) : Buffer.concat(chunks),
            ...(incoming.headers.location === undefined ? {} : { location: incoming.headers.location }),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

function download(call: Call): string {
  const { datacenter, host, identity } = call
  const content = text(call, 'content')
  const name = fileNameFor(content, text(call, 'filename'))
  const storage = getStorage(datacenter, text(call, 'storage'), host)
  if (!contentOf(storage).includes(content))
    throw died(`storage '${storage.id}' is not configured for content-type '${content}'`)
  return datacenter.tasks.start({ host, type: 'download', id: name, user: nameOf(identity) }, (worker) =>
    fetchInto(call, storage, { content, name }, worker),
  )
}

async function fetchInto(
  call: Call,
  storage: StorageState,
  file: { content: string; name: string },
  worker: Worker,
): Promise<void> {
  const { datacenter, host } = call
  const url = text(call, 'url')
  const target = pathOf(storage, `${storage.id}:${file.content}/${file.name}`)
  worker.log(`downloading ${url} to ${target}`)
  const compression = find(call, 'compression')
  if (compression !== undefined && file.content !== 'iso') throw died(`decompression not supported for ${file.content}`)
  if (isThere(call, storage, file, target, worker)) return
  const bytes = await wget(datacenter, url, find(call, 'verify-certificates') !== '0', target, worker)
  checkSum(call, bytes, worker)
  if (compression === 'xz') throw died('no decompression method found')
  keepFile(datacenter, storage, host, { ...file, bytes })
  worker.log(`download of '${url}' to '${target}' finished`)
}

/** An existing file is never replaced: with the right checksum it is accepted. */
function isThere(
  call: Call,
  storage: StorageState,
  file: { content: string; name: string },
  target: string,
  worker: Worker,
): boolean {
  const existing = findVolume(call.datacenter, `${storage.id}:${file.content}/${file.name}`, call.host)
  if (existing === undefined) return false
  const algorithm = find(call, 'checksum-algorithm')
  const expected = find(call, 'checksum')
  if (algorithm === undefined || expected === undefined) throw died(`refusing to override existing file '${target}'`)
  const actual = createHash(algorithm)
    .update(existing.bytes ?? new Uint8Array())
    .digest('hex')
  if (actual === expected) {
    worker.log('calculating checksum of existing file...OK, got correct file already, no need to download')
    return true
  }
  worker.log('calculating checksum of existing file...')
  throw died(`checksum mismatch: got '${actual}' != expect '${expected}', aborting`)
}

async function wget(
  { clock }: Datacenter,
  url: string,
  verify: boolean,
  target: string,
  worker: Worker,
): Promise<Buffer> {
  const stamp = () => new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ')
  const { hostname, port, protocol } = new URL(url)
  const where = `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
  worker.log(`--${stamp()}--  ${url}`)
  let answer: Fetched
  try {
    answer = await fetchUrl(url, { method: 'GET', verify, signal: worker.signal })
  } catch (error) {
    if (worker.isKilled) throw worker.signal.reason
    const problem = worker.signal.aborted ? taskText(worker.signal.reason) : connectionProblem(where, error)
    throw died(`download failed: ${problem}`)
  }
  worker.log(`Connecting to ${where}... connected.`)
  worker.log(`HTTP request sent, awaiting response... ${answer.status} ${answer.reason}`)
  if (answer.status !== 200) {
    worker.log(`${stamp()} ERROR ${answer.status}: ${answer.reason}.`)
    throw died('download failed: exit code 8')
  }
  const nominal = decodeMedium(answer.bytes)?.nominalSize ?? answer.bytes.length
  worker.log(`Length: ${nominal} (${Math.round(nominal / 1024)}K) [${answer.type || 'application/octet-stream'}]`)
  worker.log(`Saving to: '${target}.tmp_dwnl.${worker.upid.split(':')[2] ?? ''}'`)
  await worker.sleep(downloadTime(nominal)).catch((error: unknown) => {
    throw worker.isKilled ? error : died(`download failed: ${taskText(error)}`)
  })
  worker.log(
    `${stamp()} (50.0 MB/s) - '${target}.tmp_dwnl.${worker.upid.split(':')[2] ?? ''}' saved [${nominal}/${nominal}]`,
  )
  return answer.bytes
}

function connectionProblem(where: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (code === 'ECONNREFUSED') return `Connecting to ${where}... failed: Connection refused.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `Resolving ${where.split(':')[0] ?? ''}... failed: Name or service not known.`
  return 'exit code 5'
}

function checkSum(call: Call, bytes: Uint8Array, worker: Worker): void {
  const algorithm = find(call, 'checksum-algorithm')
  const expected = find(call, 'checksum')
  if (algorithm === undefined || expected === undefined) return
  const actual = createHash(algorithm).update(bytes).digest('hex')
  worker.log(actual === expected ? 'calculating checksum...OK, checksum verified' : 'calculating checksum...')
  if (actual === expected) return
  throw died(`checksum mismatch: got '${actual}' != expect '${expected}'`)
}

async function queryUrl(call: Call): Promise<unknown> {
  const url = text(call, 'url')
  const answer = await fetchUrl(url, { method: 'HEAD', verify: find(call, 'verify-certificates') !== '0' }).catch(
    (error: unknown) => {
      throw died(`invalid server response: '500 ${error instanceof Error ? error.message : String(error)}'`)
    },
  )
  if (answer.status !== 200) throw died(`invalid server response: '${answer.status} ${answer.reason}'`)
  const filename =
    /filename="?([^";]+)"?/.exec(answer.disposition)?.[1] ?? new URL(url).pathname.split('/').at(-1) ?? ''
  return { filename, size: answer.bytes.length, mimetype: answer.type }
}

export const downloadRoutes: Routes = {
  'POST /nodes/{node}/storage/{storage}/download-url': download,
  'GET /nodes/{node}/query-url-metadata': queryUrl,
}
