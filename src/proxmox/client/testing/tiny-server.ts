import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { createDirectDialer } from '../../../reach/direct.js'
import type { Clock } from '../../../world.js'
import { connectProxmox, type ProxmoxOptions } from '../connect.js'

export interface Seen {
  readonly method: string
  /** Below `/api2/json`, with its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Reply = (seen: Seen, response: ServerResponse) => void

/** A Proxmox with responses chosen by a test: one reply per route, `METHOD /path` without its query. */
export interface TinyServer {
  readonly endpoint: string
  readonly seen: Seen[]
  readonly on: Map<string, Reply>
  /** Number of connections opened. */
  connections(): number
  close(): Promise<void>
}

export async function startTinyServer(certificate: 'host' | 'expired' = 'host'): Promise<TinyServer> {
  const seen: Seen[] = []
  const on = new Map<string, Reply>()
  let opened = 0
  const server = createServer({ cert: testFile(`${certificate}.crt`), key: testFile(`${certificate}.key`) })
  server.on('secureConnection', () => opened++)
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = (request.url ?? '').replace(/^\/api2\/json/, '')
    const entry = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    }
    seen.push(entry)
    const reply = on.get(`${entry.method} ${path.split('?')[0]}`)
    if (reply === undefined) fails(501, `Method '${entry.method} ${path}' not implemented`)(entry, response)
    else reply(entry, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { endpoint, seen, on, connections: () => opened, close: () => stop(server) }
}

/** A successful response. */
export function gives(data: unknown, more: Readonly<Record<string, unknown>> = {}): Reply {
  return (_seen, response) => {
    response.writeHead(200, 'OK', { 'Content-Type': 'application/json;charset=UTF-8' })
    response.end(JSON.stringify({ data, ...more }))
  }
}

/** An error response, as Proxmox sends it. */
export function fails(status: number, message: string, errors?: Readonly<Record<string, string>>): Reply {
  return (_seen, response) => {
    response.writeHead(status, message, { 'Content-Type': 'application/json;charset=UTF-8', Connection: 'close' })
    response.end(JSON.stringify({ data: null, message: `${message}\n`, ...(errors === undefined ? {} : { errors }) }))
  }
}

/** Acts, then closes the connection without a response. */
export const dropsAnswer: Reply = (_seen, response) => void response.socket?.destroy()

/** The replies one after another; the last one repeats. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let next = 0
  return (seen, response) => replies[Math.min(next++, replies.length - 1)]?.(seen, response)
}

/** Real time, but with very short waits. */
export const hastyClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (_ms, signal) => sleepFor(1, undefined, { signal }),
}

const anyToken = { kind: 'token', id: 'ichor@pve!run', secret: '11111111-2222-3333-4444-555555555555' } as const

/** A client of that server, insecure by default. */
export function connectTo(servers: readonly TinyServer[], options: Partial<ProxmoxOptions> = {}) {
  return connectProxmox({
    endpoints: servers.map(({ endpoint }) => endpoint),
    auth: anyToken,
    trust: { kind: 'insecure' },
    dialer: createDirectDialer(),
    clock: hastyClock,
    deadlineMs: 5000,
    ...options,
  })
}

export function testFile(name: string): string {
  return readFileSync(new URL(`../testdata/${name}`, import.meta.url), 'utf8')
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
