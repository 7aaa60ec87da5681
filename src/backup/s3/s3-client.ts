import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '../../errors.js'
import { exchange, readAnswer } from './exchange.js'
import { readFailure, type S3Failure, s3Error, s3Unreachable } from './s3-error.js'
import type { S3Location } from './s3-location.js'
import { encodePart, sha256, signRequest } from './sign.js'

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Below the prefix; absent for the bucket itself. */
  readonly name?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface S3Answer {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface S3Client {
  /** The response as text, with retries of transient failures; throws if the service refuses. */
  call(request: S3Request, signal: AbortSignal): Promise<S3Answer>
  /** Like `call`, with refusals as values. */
  attempt(request: S3Request, signal: AbortSignal): Promise<S3Answer | S3Failure>
  /** The body as a stream. */
  stream(name: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

export interface Patience {
  readonly idleMs: number
  /** Delays before the second attempt, the third, and so on. */
  readonly retryAfterMs: readonly number[]
}

const usualPatience: Patience = { idleMs: 60_000, retryAfterMs: [500, 1000, 2000, 5000] }

/** A client for one bucket. Every request can be repeated: bodies are complete, and S3 replaces whole objects. */
export function createS3Client(location: S3Location, patience: Patience = usualPatience): S3Client {
  const where = `s3://${location.bucket}/${location.prefix} at ${location.endpoint.origin}`
  const send = (request: S3Request, signal: AbortSignal) => sendSigned(location, request, patience.idleMs, signal)
  const settled = async (answer: IncomingMessage): Promise<S3Answer | S3Failure> => {
    const body = await readAnswer(answer)
    const status = answer.statusCode ?? 0
    const isRefused = status >= 300 || /<Error>/.test(body)
    return isRefused ? readFailure(status, body) : { headers: answer.headers, body }
  }
  const attempt: S3Client['attempt'] = async (request, signal) =>
    retry(async () => settled(await send(request, signal)), patience, where, signal)
  return {
    attempt,
    call: async (request, signal) => {
      const answer = await attempt(request, signal)
      if ('status' in answer) throw s3Error(answer, where)
      return answer
    },
    stream: async (name, signal) => {
      const found = await retry(
        async () => {
          const answer = await send({ method: 'GET', name }, signal)
          return answer.statusCode === 200 ? answer : readFailure(answer.statusCode ?? 0, await readAnswer(answer))
        },
        patience,
        where,
        signal,
      )
      if ('status' in found) throw s3Error(found, `${where}, ${name}`)
      return bodyOf(found, where)
    },
  }
}

function sendSigned(location: S3Location, request: S3Request, idleMs: number, signal: AbortSignal) {
  const { bucket, prefix, endpoint, region, credentials } = location
  const path = [bucket, ...(request.name === undefined ? [] : `${prefix}${request.name}`.split('/'))]
  const url = new URL(endpoint)
  url.pathname = `${endpoint.pathname.replace(/\/$/, '')}/${path.map(encodePart).join('/')}`
  url.search = Object.entries(request.query ?? {})
    .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`)
    .join('&')
  const { method, headers = {}, body } = request
  const bodyHash = sha256(body ?? '')
  const signed = signRequest({ method, url, headers, bodyHash }, credentials, region, new Date())
  return exchange({ method, url, headers: signed, idleMs, ...(body === undefined ? {} : { body }) }, signal)
}

/** Broken connections and overloaded services are retried; a refusal is returned. */
async function retry<T extends object>(
  work: () => Promise<T>,
  { retryAfterMs }: Patience,
  where: string,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted()
    const delay = retryAfterMs[attempt]
    try {
      const result = await work()
      if (delay === undefined || !('status' in result) || !isPassing(result.status as number)) return result
    } catch (cause) {
      signal.throwIfAborted()
      if (delay === undefined) throw s3Unreachable(reasonOf(cause), where, cause)
    }
    await sleep(delay * (0.5 + Math.random()), undefined, { signal })
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status === 500 || status === 502 || status === 503 || status === 504
}

async function* bodyOf(answer: IncomingMessage, where: string): AsyncGenerator<Uint8Array> {
  const expected = Number(answer.headers['content-length'] ?? Number.NaN)
  let received = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      received += part.length
      yield part
    }
  } catch (cause) {
    throw s3Unreachable(reasonOf(cause), where, cause)
  }
  if (received < expected) throw s3Unreachable(`${received} of ${expected} bytes arrived`, where, undefined)
}
