import { connect, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LabNetwork } from '../core/network.js'
import { operator, type Passage } from '../core/network-cuts.js'

/** The target of a proxy into the lab. */
export interface LabDoor {
  readonly network: LabNetwork
  /** Names that the lab resolves, besides its addresses: `api.dev.example` to `10.0.10.10`. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** A proxy from this computer into the lab's network, on a loopback port. */
export interface Entrance {
  readonly host: string
  readonly port: number
  /** Closes every connection through it. */
  cut(): void
  close(): Promise<void>
}

/**
 * A connection into the lab, and nowhere else; `undefined` if nothing listens there. Waits while packets are dropped.
 */
export async function enterLab(door: LabDoor, host: string, port: number): Promise<LabSocket | undefined> {
  const { network, hosts } = door
  const address = network.addressBehind(hosts?.[host] ?? host)
  if (!(await untilOpen(network, address, port))) return undefined
  const actual = network.resolve(address, port)
  const socket = actual === undefined ? undefined : await open(actual)
  return socket === undefined ? undefined : { socket, gate: gateTo(network, address, port) }
}

/** A connection into the lab, and the effect of cuts on it. */
export interface LabSocket {
  readonly socket: Socket
  readonly gate: Gate
}

/** Whether bytes pass in each direction. */
interface Gate {
  inward(): Passage
  outward(): Passage
  onChange(listener: () => void): () => void
}

function gateTo(network: LabNetwork, address: string, port: number): Gate {
  const { cuts } = network
  return {
    inward: () => inwardPassage(network, address, port, false),
    outward: () => cuts.passage(address, operator),
    onChange: (listener) => onAnyChange(network, listener),
  }
}

/** Filtered packets are dropped. */
function inwardPassage(network: LabNetwork, to: string, port: number, isNew: boolean): Passage {
  const { cuts, filters, operatorAddress: from } = network
  const passage = cuts.passage(operator, to)
  if (passage !== 'open') return passage
  return filters.admits({ from, to, port, protocol: 'tcp', isNew }) ? 'open' : 'swallow'
}

function onAnyChange({ cuts, filters }: LabNetwork, listener: () => void): () => void {
  const stops = [cuts.onChange(listener), filters.onChange(listener)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The first packet is repeated until it passes; `false` if it is refused. */
function untilOpen(network: LabNetwork, address: string, port: number): Promise<boolean> {
  const judge = () => [inwardPassage(network, address, port, true), network.cuts.passage(address, operator)]
  if (judge().includes('refuse')) return Promise.resolve(false)
  if (!judge().includes('swallow')) return Promise.resolve(true)
  return new Promise((resolve) => {
    const stop = onAnyChange(network, () => {
      if (judge().includes('swallow')) return
      stop()
      resolve(!judge().includes('refuse'))
    })
  })
}

function open(actual: { host: string; port: number }): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...actual, noDelay: true })
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => resolve(socket))
  })
}

/** Forwards bytes both ways; if one side is closed, so is the other. */
export function carry(one: Duplex, other: Duplex, gate?: Gate): void {
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
  if (gate === undefined) return
  const stop = gate.onChange(() => heed(one, other, gate))
  one.on('close', stop)
}

/** Lost bytes are sent again once the path is open; a refused connection is reset. */
function heed(client: Duplex, inside: Duplex, { inward, outward }: Gate): void {
  if (inward() === 'refuse' || outward() === 'refuse') {
    client.destroy()
    return
  }
  pipeWhile(client, inside, inward() === 'open')
  pipeWhile(inside, client, outward() === 'open')
}

function pipeWhile(source: Duplex, target: Duplex, isOpen: boolean): void {
  source.unpipe(target)
  if (isOpen) source.pipe(target)
  else source.pause()
}

/** Listens on a free loopback port, and can close its connections. */
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
