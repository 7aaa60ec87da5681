import { createSecureServer } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { ConnectRouter } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'
import { createTestCa, type PemPair, type TestCa } from './node-certificates.js'

/** A gRPC server on loopback with certificates like those of a node; what it answers is up to the test. */
export interface TalosServer {
  readonly port: number
  readonly ca: TestCa
  /** For a client with the role os:admin. */
  readonly admin: PemPair
  /** How many connections were made so far. */
  connections(): number
  /** Ends every connection without a word, as a reboot does. */
  cut(): void
  close(): Promise<void>
}

export async function startTalosServer(
  routes: (router: ConnectRouter) => void,
  { maintenance = false }: { maintenance?: boolean } = {},
): Promise<TalosServer> {
  const ca = await createTestCa()
  const { crt, key } = await ca.issueServer()
  const server = createSecureServer(
    {
      cert: crt,
      key: key.replaceAll('ED25519 ', ''),
      ca: ca.crt,
      requestCert: !maintenance,
      rejectUnauthorized: !maintenance,
    },
    connectNodeAdapter({ routes, connect: false, grpcWeb: false }),
  )
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    ca,
    admin: await ca.issueClient(['os:admin']),
    connections: () => count,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
