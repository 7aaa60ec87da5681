import { reasonOf } from '../../errors.js'
import { parseJson } from '../../reach/parse-json.js'
import { SecretsError } from '../secrets-error.js'

export interface VaultAnswer {
  readonly status: number
  readonly body: unknown
}

export interface VaultRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** PEM of the CA that signed the server's certificate. */
  readonly ca?: string
}

const deadlineMs = 15_000
const largestAnswer = 4 * 1024 * 1024

/** One request to Vault. Responses may contain secrets, so no error repeats them. */
export async function askVault(request: VaultRequest): Promise<VaultAnswer> {
  try {
    const { status, text } = await followed(request)
    return { status, body: text === '' ? undefined : parseJson(text) }
  } catch (cause) {
    if (cause instanceof SecretsError) throw cause
    const problem = cause instanceof SyntaxError ? 'it answered with something that is not JSON' : reasonOf(cause)
    throw new SecretsError(`Vault at ${request.url.origin} cannot be used: ${problem}.`, {
      where: request.url.origin,
      fix: 'Check VAULT_ADDR, and VAULT_CACERT where Vault has a certificate of your own CA.',
      cause,
    })
  }
}

const maxRedirects = 2

/** A standby redirects clients to the active server. The token is sent to no other host than the named one. */
async function followed(request: VaultRequest, redirects = 0): Promise<Exchanged> {
  const answer = await exchange(request)
  const isRedirect = [301, 302, 307, 308].includes(answer.status)
  if (!isRedirect) return answer
  const to = URL.canParse(answer.location ?? '', request.url.href)
    ? new URL(answer.location ?? '', request.url)
    : undefined
  const isSame = to?.hostname === request.url.hostname && to.protocol === request.url.protocol
  if (isSame && [307, 308].includes(answer.status) && redirects < maxRedirects)
    return followed({ ...request, url: to }, redirects + 1)
  throw new SecretsError(`Vault at ${request.url.origin} sends its clients on to ${to?.origin ?? 'another server'}.`, {
    where: request.url.origin,
    fix: 'Set VAULT_ADDR to the active server, or to a load balancer before the cluster. The token was sent to no other host.',
  })
}

interface Exchanged {
  readonly status: number
  readonly text: string
  readonly location?: string
}

/** Loads what it needs: most secrets are files, and `render` is short. */
async function exchange({ method, url, headers, body, ca }: VaultRequest): Promise<Exchanged> {
  const { request: send } = url.protocol === 'http:' ? await import('node:http') : await import('node:https')
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(deadlineMs)
    const options = { method, headers, signal, agent: false as const, ...(ca === undefined ? {} : { ca }) }
    const outgoing = send(url, options, (answer) => {
      const chunks: Buffer[] = []
      let size = 0
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > largestAnswer) answer.destroy(new Error('its answer is far too long'))
      })
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode: status = 0, headers: given } = answer
        const text = Buffer.concat(chunks).toString()
        resolve({ status, text, ...(given.location === undefined ? {} : { location: given.location }) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
