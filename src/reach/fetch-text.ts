import { isPlainHttp } from '../cluster/plain-http.js'
import { BodyTooLong } from './read-body.js'

const deadlineMs = 30_000
const maxBytes = 32 * 1024 * 1024

/** The text at a web address, within limits; https never redirects to http. */
export async function fetchText(address: string): Promise<string> {
  return (await fetchBytes(address)).toString()
}

/** The same for binary data. */
export async function fetchBytes(address: string): Promise<Buffer> {
  const answer = await fetchAnswer(address, {})
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  return bytesOf(answer)
}

const maxRedirects = 5

/** The response of the server, after redirects, none of which leads from TLS to plain http. */
export async function fetchAnswer(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal = AbortSignal.timeout(deadlineMs),
): Promise<Response> {
  return follow(address, headers, signal)
}

async function follow(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  redirects = 0,
): Promise<Response> {
  const answer = await fetch(address, { headers, signal, redirect: 'manual' })
  const location = answer.headers.get('location')
  if (location === null || ![301, 302, 303, 307, 308].includes(answer.status)) return answer
  await answer.body?.cancel()
  const next = new URL(location, address)
  if (isPlainHttp(next.href) && !isPlainHttp(address)) throw new Error(`it redirects from TLS to ${next.href}`)
  if (!/^https?:$/.test(next.protocol)) throw new Error(`it redirects to ${next.href}`)
  if (redirects >= maxRedirects) throw new Error(`it redirects more than ${maxRedirects} times`)
  const isSame = next.origin === new URL(address).origin
  return follow(next.href, isSame ? headers : withoutLogin(headers), signal, redirects + 1)
}

function withoutLogin(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
}

export async function bytesOf(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BodyTooLong(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
