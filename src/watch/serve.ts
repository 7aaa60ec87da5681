import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isLoopback } from '../cluster/plain-http.js'

export interface Served {
  /** `127.0.0.1:9469`. */
  readonly address: string
  close(): Promise<void>
}

export interface Serving {
  readonly host: string
  readonly port: number
  /** Who may read `/metrics`. */
  mayRead(): MayRead
  metrics(): Promise<string>
  /** Every cluster was looked at once. */
  isReady(): boolean
}

/** While it is not known whether a token is needed, they are closed. */
export type MayRead =
  | { readonly who: 'all' }
  | { readonly who: 'bearer'; readonly token: string }
  | { readonly who: 'none' }

const maxConnections = 64
const patienceMs = 10_000

/** `/metrics`, `/healthz` and `/readyz`; nothing here changes anything. */
export async function serve(serving: Serving): Promise<Served> {
  const server = createServer((request, response) => {
    void answer(serving, request, response).catch(() => {
      response.statusCode = 500
      response.end()
    })
  })
  server.maxConnections = maxConnections
  server.headersTimeout = patienceMs
  server.requestTimeout = patienceMs
  await listening(server, serving)
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : serving.port
  return { address: `${serving.host}:${port}`, close: () => closed(server) }
}

function listening(server: Server, { host, port }: Serving): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: host.replace(/^\[|\]$/g, ''), port }, () => resolve())
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  const path = url.split('?')[0]
  if (!isMeant(serving, request)) return end(response, 403, 'This address is not served here.')
  if (method !== 'GET' && method !== 'HEAD') return end(response, 405, 'Only GET is answered.')
  if (path === '/healthz') return end(response, 200, 'ok')
  if (path === '/readyz')
    return serving.isReady() ? end(response, 200, 'ok') : end(response, 503, 'not every cluster was seen yet')
  if (path !== '/metrics') return end(response, 404, 'There is /metrics, /healthz and /readyz.')
  const mayRead = serving.mayRead()
  if (mayRead.who === 'none') return end(response, 503, 'It is not known yet which token is needed.')
  if (mayRead.who === 'bearer' && !isBearer(mayRead.token, request)) {
    response.setHeader('www-authenticate', 'Bearer')
    return end(response, 401, 'A bearer token is needed.')
  }
  const text = await serving.metrics()
  response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  response.end(method === 'HEAD' ? undefined : text)
}

/** On loopback, a page in a browser could reach this under a name of its own; its name is in the Host header. */
function isMeant({ host }: Serving, { headers }: IncomingMessage): boolean {
  if (!isLoopback(host)) return true
  return isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
}

/** Digests are compared, so that the time reveals neither length nor content. */
function isBearer(token: string, { headers }: IncomingMessage): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  response.end(`${text}\n`)
}
