import { connect, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LabNetwork } from '../network.js'

/** What an entrance leads into. */
export interface LabDoor {
  readonly network: LabNetwork
  /** Names that the lab resolves, beside its addresses: `api.dev.example` to `10.0.10.10`. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** A way from this computer into the lab's network, on a loopback port. */
export interface Entrance {
  readonly host: string
  readonly port: number
  /** Ends every connection that is open through it, without a word. */
  cut(): void
  close(): Promise<void>
}

/** A connection into the lab, and nowhere else; `undefined` when nothing listens there. */
export async function enterLab({ network, hosts }: LabDoor, host: string, port: number): Promise<Socket | undefined> {
  const actual = network.resolve(hosts?.[host] ?? host, port)
  if (actual === undefined) return undefined
  return new Promise((resolve) => {
    const socket = connect({ ...actual, noDelay: true })
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => resolve(socket))
  })
}

/** Carries bytes both ways; when one side goes, or has gone already, so does the other. */
export function carry(one: Duplex, other: Duplex): void {
  if (one.destroyed || other.destroyed) {
    one.destroy()
    other.destroy()
    return
  }
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.on('close', () => other.destroy())
  other.on('close', () => one.destroy())
  one.pipe(other)
  other.pipe(one)
}

/** Starts listening on a free loopback port, and knows how to end what came in. */
export async function listenOnLoopback(server: Server): Promise<Entrance> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The entrance of the lab got no port.')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: '127.0.0.1',
    port: address.port,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
