import { type IncomingMessage, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'
import { isPlainHttp } from '../../cluster/plain-http.js'
import { reasonOf } from '../../errors.js'
import type { Dialer } from '../../reach/dialer.js'
import { boundBody, readBody } from '../../reach/read-body.js'
import { secureConnect, type Trust } from '../../reach/tls.js'
import { withDeadline } from '../../reach/with-deadline.js'
import type { Clock } from '../../world.js'
import { FactoryError } from './factory-error.js'

export interface FactoryRequest {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  readonly body?: string
}

export interface FactoryHttp {
  readonly dialer: Dialer
  readonly clock: Clock
  /** A private factory may have a certificate that only a pin or a custom CA verifies. */
  readonly trust: Trust
}

/** A complete response. */
export interface FactoryAnswer {
  readonly status: number
  readonly isHtml: boolean
  /** `Content-Length`; NaN if there is none. */
  readonly size: number
  readonly text: string
}

/** The first build of an image takes a minute or more, and the factory responds when it is done. */
const deadlineMs = 300_000
const attempts = 3
const maxRedirects = 5
const textLimits = { maxBytes: 4 * 1024 * 1024, silenceMs: 30_000 }
/** A whole uncompressed image is far below this. */
const imageLimits = { maxBytes: 16 * 1024 ** 3, silenceMs: 60_000 }

/** Sends a request and reads the whole response. All requests can be repeated, so transient failures are retried. */
export function askFactory(http: FactoryHttp, request: FactoryRequest, signal: AbortSignal): Promise<FactoryAnswer> {
  return retrying(http, request, signal, () =>
    withDeadline(signal, deadlineMs, async (bounded) => {
      const answer = await follow(http, request, bounded)
      return { ...headOf(answer), text: await textOf(answer) }
    }),
  )
}

/** Sends a request and leaves the body to be read without a time limit: the deadline is for the first byte. */
export async function openFactory(
  http: FactoryHttp,
  request: FactoryRequest,
  signal: AbortSignal,
): Promise<FactoryAnswer & { readonly body: AsyncGenerator<Uint8Array> }> {
  return retrying(http, request, signal, async () => {
    const answer = await withDeadline(signal, deadlineMs, (bounded) => follow(http, request, bounded))
    const head = headOf(answer)
    const text = head.status === 200 ? '' : await textOf(answer)
    return { ...head, body: boundBody(answer, { ...imageLimits, signal }), text }
  })
}

async function retrying<T extends FactoryAnswer>(
  { clock }: FactoryHttp,
  { url }: FactoryRequest,
  signal: AbortSignal,
  ask: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await ask()
      if (attempt === attempts || !isPassing(answer.status)) return answer
    } catch (cause) {
      signal.throwIfAborted()
      if (attempt === attempts) throw unreachable(url, cause)
    }
    await clock.sleep(1000 * 2 ** (attempt - 1), signal)
  }
}

function headOf(answer: IncomingMessage): Omit<FactoryAnswer, 'text'> {
  return {
    status: answer.statusCode ?? 0,
    isHtml: /\btext\/html\b/.test(answer.headers['content-type'] ?? ''),
    size: Number(answer.headers['content-length']),
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  return (await readBody(answer, textLimits)).toString()
}

async function follow(http: FactoryHttp, request: FactoryRequest, signal: AbortSignal): Promise<IncomingMessage> {
  let url = request.url
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const answer = await send(http, { ...request, url }, signal)
    const next = answer.headers.location
    if (answer.statusCode === undefined || answer.statusCode < 300 || answer.statusCode > 399 || !next) return answer
    answer.resume()
    const target = new URL(next, url).href
    if (isPlainHttp(target) && !isPlainHttp(url)) throw new Error(`it redirects from TLS to ${target}`)
    url = target
  }
  throw new Error(`it redirects more than ${maxRedirects} times`)
}

async function send(
  { dialer, trust }: FactoryHttp,
  request: FactoryRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(request.url)
  const socket = await connect(dialer, trust, url, signal)
  const headers = {
    host: url.host,
    accept: 'application/json, */*',
    connection: 'close',
    ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
  }
  return new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`
    const options = { method: request.method, path, headers, signal, createConnection: () => socket }
    requestHttp(options, resolve).on('error', reject).end(request.body)
  })
}

function connect(dialer: Dialer, trust: Trust, url: URL, signal: AbortSignal): Promise<Socket> {
  const isPlain = url.protocol === 'http:'
  const target = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || (isPlain ? 80 : 443) }
  return isPlain ? dialer.dial(target, signal) : secureConnect(dialer, target, { trust }, signal)
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500
}

function unreachable(url: string, cause: unknown): FactoryError {
  return new FactoryError(`The Image Factory cannot be reached: ${reasonOf(cause)}`, {
    where: url,
    fix: 'Check talos.factory_url and the way to it. Images that Proxmox already has are used without it.',
    cause,
  })
}
