import type { IncomingMessage } from 'node:http'
import { ApiError } from '../api-error.js'
import { parseForm, parseJson } from './form.js'
import { PlainError } from './plain-error.js'

const largestBody = 512 * 1024
const largestUpload = 512 * 1024 * 1024

/** A request at the HTTP level, before authentication and verification. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly format: string
  readonly query: Readonly<Record<string, unknown>>
}

export function readTarget(message: IncomingMessage): RawRequest {
  const method = message.method ?? 'GET'
  if (!['GET', 'POST', 'PUT', 'DELETE'].includes(method))
    throw new PlainError(501, `method '${method}' not available`, { emptyBody: true })
  const [target = '/', query = ''] = (message.url ?? '/').split(/\?(.*)/s)
  const path = target.replace(/\/{2,}/g, '/')
  if (!/^\/api2(\/|$)/.test(path)) throw new PlainError(500, `no such file '${path}'\n`)
  const [, format, rest = ''] = /^\/api2\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (format === undefined) throw new PlainError(501, 'no such uri')
  if (!['json', 'extjs', 'html'].includes(format))
    throw new PlainError(501, `no formatter for uri ${rest || '/'}, ${format}`)
  const relative = rest.replace(/\/+$/, '')
  return { method, path: relative === '' ? '/' : relative, format, query: parseForm(query) }
}

/** The parameters of the body; uploads are returned as bytes. */
export async function readBody(
  message: IncomingMessage,
  method: string,
  isUpload: boolean,
): Promise<Record<string, unknown> | Buffer> {
  if (message.headers['transfer-encoding'] !== undefined)
    throw new PlainError(501, 'chunked transfer encoding not supported')
  const length = Number(message.headers['content-length'] ?? 0)
  if (method === 'GET' || method === 'DELETE') {
    if (length > 0) throw new PlainError(501, `Unexpected content for method '${method}'`)
    return {}
  }
  if (length > (isUpload ? largestUpload : largestBody)) throw new PlainError(501, 'for data too large')
  const type = message.headers['content-type'] ?? ''
  if (isUpload) return collect(message)
  if (length === 0 && !type.startsWith('application/json')) return {}
  if (type !== '' && !/^application\/(x-www-form-urlencoded|json)/.test(type))
    throw new PlainError(506, `upload 'Content-Type '${type}' not implemented`)
  const text = (await collect(message)).toString('utf8')
  if (!type.startsWith('application/json')) return parseForm(text)
  try {
    return parseJson(text)
  } catch (error) {
    throw error instanceof ApiError ? new PlainError(error.status, error.message) : error
  }
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
