import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** After this time without a byte in either direction, the connection is closed. */
  readonly idleMs: number
}

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

/** Sends one request; the caller reads the body, which fails if it is truncated or stalls. */
export function exchange(
  { method, url, headers, body, idleMs }: Exchange,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const send = isSecure ? requestHttps : requestHttp
    const length = { 'content-length': String(body?.length ?? 0) }
    const request = send(url, {
      method,
      headers: { ...headers, ...length },
      agent: agents[isSecure ? 'https:' : 'http:'],
      signal,
    })
    request.setTimeout(idleMs, () => request.destroy(new Error(`no answer for ${idleMs / 1000} s`)))
    request.once('error', reject)
    request.once('response', resolve)
    request.end(body)
  })
}

/** The body of a small response. */
export async function readAnswer(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxAnswerBytes) throw new Error(`the answer is larger than ${maxAnswerBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

const maxAnswerBytes = 16 * 1024 * 1024
