import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { readBody } from '../../../reach/read-body.js'
import type { Connections } from './connections.js'
import type { StreamedBody } from './form.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface HttpRequest {
  readonly method: Method
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | StreamedBody
}

export interface HttpAnswer {
  readonly status: number
  readonly reason: string
  /** The server's clock, if it sent it: milliseconds since 1970. */
  readonly date?: number
  readonly contentType: string
  readonly body: Buffer
}

/** No complete response was received. `sent` states whether the host may have acted. */
export class Lost extends Error {
  override readonly name = 'Lost'
  readonly sent: boolean

  constructor(sent: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.sent = sent
  }
}

/** A list of ten thousand VMs is a tenth of this. */
const maxBytes = 64 * 1024 * 1024

/** One request and its complete response. The body always has a known length: Proxmox refuses chunked bodies. */
export function exchange(connections: Connections, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Lost(false, signal.reason))
    let sent = false
    const options = { agent: connections, method: request.method, path: request.path, dialSignal: signal }
    const outgoing = httpsRequest({ ...options, headers: headersOf(request) })
    const lose = (cause: unknown) => {
      signal.removeEventListener('abort', onAbort)
      reject(new Lost(sent, signal.aborted ? signal.reason : cause))
    }
    const onAbort = () => outgoing.destroy(new Error('aborted'))
    signal.addEventListener('abort', onAbort, { once: true })
    outgoing.once('socket', () => {
      sent = true
    })
    outgoing.on('error', lose)
    outgoing.once('response', (incoming) => {
      readWhole(incoming).then((answer) => {
        signal.removeEventListener('abort', onAbort)
        resolve(answer)
      }, lose)
    })
    send(outgoing, request.body)
  })
}

function send(outgoing: ClientRequest, body: HttpRequest['body']): void {
  if (body === undefined || body instanceof Uint8Array) outgoing.end(body)
  else pipeline(Readable.from(body.open()), outgoing, () => {})
}

function headersOf({ headers, body, method }: HttpRequest): Record<string, string> {
  const hasBody = method === 'POST' || method === 'PUT'
  return hasBody ? { ...headers, 'Content-Length': String(body?.byteLength ?? 0) } : { ...headers }
}

async function readWhole(incoming: IncomingMessage): Promise<HttpAnswer> {
  const body = await readBody(incoming, { maxBytes })
  const date = Date.parse(incoming.headers.date ?? '')
  return {
    status: incoming.statusCode ?? 0,
    reason: incoming.statusMessage ?? '',
    ...(Number.isNaN(date) ? {} : { date }),
    contentType: incoming.headers['content-type'] ?? '',
    body,
  }
}
