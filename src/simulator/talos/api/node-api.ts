import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type Http2Session,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { durations } from '../machine/durations.js'
import type { NodeApi, TalosMachine } from '../machine/machine.js'
import { loadPrivateKey } from '../pki/issue-certificate.js'
import { type Peer, peerOf } from './peer.js'
import { renewalMs, serverCertificate } from './server-certificate.js'

/** A server with all its connections: during a handshake there is no session yet. */
interface Served {
  readonly server: Http2SecureServer
  readonly sockets: ReadonlySet<Socket>
  readonly sessions: ReadonlySet<ServerHttp2Session>
}

/** The connection of a request. */
export interface Connection {
  readonly machine: TalosMachine
  readonly mode: 'maintenance' | 'secured'
  readonly peer: Peer
  /** Ends the connection like a broken network. */
  cut(): void
}

export type Answer = (request: Http2ServerRequest, response: Http2ServerResponse, connection: Connection) => void

/** Listens on 50000 of all addresses of the machine, over TLS, with the certificate of its mode. */
export function createNodeApi(machine: TalosMachine, answer: Answer): NodeApi {
  let mode: NodeApi['mode'] = 'closed'
  let servers: ({ address: string } & Served)[] = []

  let renewal: NodeJS.Timeout | undefined

  const close = async (how: 'gently' | 'at-once') => {
    mode = 'closed'
    clearInterval(renewal)
    const closing = servers
    servers = []
    await Promise.all(closing.map((served) => closeServer(served, how)))
  }

  const serve = async (address: string, wanted: 'maintenance' | 'secured', options: object) => {
    const entry = { address, ...createServer(machine, wanted, options, answer) }
    servers.push(entry)
    await listen(machine, entry.server, address)
  }

  const open = async (wanted: 'maintenance' | 'secured') => {
    const { signal } = machine.boot
    const options = await tlsOptions(machine, wanted)
    await close('gently')
    signal.throwIfAborted()
    mode = wanted
    renewal = setInterval(() => void refresh().catch(() => {}), renewalMs).unref()
    for (const address of addressesOf(machine)) await serve(address, wanted, options)
    machine.record('api.opened', { mode: wanted, addresses: machine.addresses })
  }

  let refreshed: Promise<unknown> = Promise.resolve()
  /** One after the other: a worker gets its certificate from a control plane, and may wait for one. */
  const refresh = () => {
    const next = refreshed.then(refreshNow)
    refreshed = next.catch(() => {})
    return next
  }
  const refreshNow = async () => {
    if (mode === 'closed') return
    const options = await tlsOptions(machine, mode)
    const wanted = addressesOf(machine)
    const gone = servers.filter(({ address }) => !wanted.includes(address))
    servers = servers.filter(({ address }) => wanted.includes(address))
    for (const { server } of servers) server.setSecureContext(options)
    await Promise.all(gone.map((served) => closeServer(served, 'gently')))
    const bound = new Set(servers.map(({ address }) => address))
    for (const address of wanted) if (!bound.has(address)) await serve(address, mode, options)
  }

  return {
    get mode() {
      return mode
    },
    open,
    refresh,
    close,
  }
}

/** Talos listens on all of them, including a VIP that it holds. */
function addressesOf({ addresses, vips }: TalosMachine): string[] {
  return [...new Set([...addresses, ...vips])]
}

async function tlsOptions(machine: TalosMachine, mode: 'maintenance' | 'secured') {
  const { crt, key } = await serverCertificate(machine, mode)
  const { facts } = machine
  const base = { cert: crt, key: loadPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }) }
  if (mode === 'maintenance' || facts === undefined) return base
  return { ...base, ca: [facts.osCa.crt, ...facts.acceptedOsCas] }
}

function createServer(machine: TalosMachine, mode: 'maintenance' | 'secured', tls: object, answer: Answer): Served {
  const sockets = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()
  const isSecured = mode === 'secured'
  const server = createSecureServer({
    ...tls,
    minVersion: 'TLSv1.2',
    requestCert: isSecured,
    rejectUnauthorized: isSecured,
    settings: { initialWindowSize: 1 << 20 },
  })
  const connections = new WeakMap<Http2Session, Connection>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    const peer = peerOf(session.socket as TLSSocket, Date.now() + machine.clockSkewMs, isSecured)
    if (peer === undefined) return session.destroy()
    const port = session.socket.remotePort
    // Destroying the session inside one of its own calls crashes Node 20.
    const cut = () => [...sockets].find(({ remotePort }) => remotePort === port)?.destroy()
    connections.set(session, { machine, mode, peer, cut })
  })
  server.on('sessionError', () => {})
  server.on('request', (request, response) => {
    const session = request.stream.session
    const connection = session === undefined ? undefined : connections.get(session)
    if (connection === undefined) return request.stream.close()
    answer(request, response, connection)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('secureConnection', (socket) => socket.setNoDelay(true))
  return { server, sockets, sessions }
}

/** The address may be taken, as in a real network; the machine retries as long as it is powered on. */
async function listen(machine: TalosMachine, server: Http2SecureServer, address: string): Promise<void> {
  const { boot, fleet } = machine
  for (;;) {
    const isBound = await fleet.network.listen(server, address, 50000).then(
      () => true,
      () => false,
    )
    if (isBound) break
    machine.log(`[talos] address ${address} is in use by another machine`)
    await boot.wait(durations.retry)
  }
  if (!boot.signal.aborted) return
  server.close()
  boot.signal.throwIfAborted()
}

/** In real time: how long calls may still finish after a graceful close. */
const graceMs = 50

function closeServer({ server, sockets, sessions }: Served, how: 'gently' | 'at-once'): Promise<void> {
  return new Promise((resolve) => {
    const destroy = () => {
      for (const session of sessions) session.destroy()
      for (const socket of sockets) socket.destroy()
    }
    if (how === 'at-once') destroy()
    else {
      for (const session of sessions) session.close()
      setTimeout(destroy, graceMs)
    }
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
}
