import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ClusterState } from '../cluster-state.js'
import { badRequest } from '../status-error.js'
import type { User } from './authenticate.js'
import { parseProtobuf } from './protobuf-body.js'
import type { Tokens } from './tokens.js'

/** One request to the API server. */
export interface Call {
  readonly state: ClusterState
  /** Version of the API server that handles it: during an upgrade they differ. */
  readonly version: string
  readonly tokens?: Tokens | undefined
  /** Series that this API server counts. */
  readonly deprecated: Set<string>
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  readonly contentType: string
  readonly userAgent: string
  readonly user: User
  readonly response: ServerResponse
  /** The parsed body; `undefined` if there is none. */
  readonly body: unknown
}

/** The response; `undefined` if the handler streams it. */
export type Answer = { readonly status: number; readonly body: object | string } | undefined

const largestBody = 3 * 1024 * 1024

export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > largestBody) throw badRequest(`the request is larger than ${largestBody} bytes`)
    chunks.push(chunk as Buffer)
  }
  if (size === 0) return undefined
  if (request.headers['content-type']?.includes('protobuf')) return parseProtobuf(Buffer.concat(chunks))
  const text = Buffer.concat(chunks).toString()
  if (request.headers['content-type']?.includes('apply-patch+yaml') && !text.trimStart().startsWith('{'))
    return (await import('yaml')).parse(text)
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('the body of the request is not JSON')
  }
}
