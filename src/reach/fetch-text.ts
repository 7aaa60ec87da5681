import { isPlainHttp } from '../cluster/plain-http.js'
import { BodyTooLong } from './read-body.js'

const deadlineMs = 30_000
const mostBytes = 32 * 1024 * 1024

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

/** The response of the server, after redirects. */
export async function fetchAnswer(address: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const answer = await fetch(address, { headers, signal: AbortSignal.timeout(deadlineMs) })
  if (isPlainHttp(answer.url) && !isPlainHttp(address)) throw new Error(`it redirects from TLS to ${answer.url}`)
  return answer
}

export async function bytesOf(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes) throw new BodyTooLong(mostBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
