import type { ConnectRouter } from '@connectrpc/connect'
import { onTestFinished } from 'vitest'
import { createDirectDialer } from '../../src/reach/direct.js'
import { connectTalos } from '../../src/talos/api/connect.js'
import type { TalosNode, TalosPort } from '../../src/talos/api/port.js'
import { startTalosServer, type TalosServer, type TalosServerOptions } from './talos-server.js'

/** One that never fires. */
export const signal = new AbortController().signal
export const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }

/** A server that answers as the test says, until the test ends. */
export async function serve(
  routes: (router: ConnectRouter) => void,
  options?: TalosServerOptions,
): Promise<TalosServer> {
  const server = await startTalosServer(routes, options)
  onTestFinished(() => server.close())
  return server
}

/** Our client, with the certificates of that server by default. */
export function portTo(server: TalosServer, admin = server.admin): TalosPort {
  const port = connectTalos({
    dialer: createDirectDialer(),
    clock,
    credentials: async () => ({ ca: server.ca.crt, ...admin }),
  })
  onTestFinished(() => port.close())
  return port
}

export const at = (server: TalosServer) => ({ machine: 'dev-cp-1', address: '127.0.0.1', port: server.port })

/** A node that answers as the test says, as our client sees it. */
export async function nodeWith(routes: (router: ConnectRouter) => void): Promise<TalosNode> {
  const server = await serve(routes)
  return portTo(server).node(at(server))
}

export async function allOf<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}

export const versionRoute = (tag: string) => ({
  version: () => ({ messages: [{ version: { tag, arch: 'amd64' }, platform: { name: 'nocloud', mode: 'cloud' } }] }),
})

/** A COSI resource as it goes over the wire. */
export const resource = (id: string, yamlSpec: string) => ({ metadata: { id, version: '3' }, spec: { yamlSpec } })
