import { constants, createSecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import type { PeerCertificate, TLSSocket } from 'node:tls'
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
  /** How many of them were ended because of too many pings. */
  endedForPings(): number
  /** Ends every connection without a word, as a reboot does. */
  cut(): void
  close(): Promise<void>
}

export interface TalosServerOptions {
  readonly maintenance?: boolean
  readonly limitsPings?: boolean
  /** Closes every stream without a response and without an error. */
  readonly closesStreams?: boolean
  /** Judges the dates of a client's certificate in place of the server, by whatever clock the test has. */
  readonly onClient?: (certificate: PeerCertificate) => void
}

export async function startTalosServer(
  routes: (router: ConnectRouter) => void,
  { maintenance = false, limitsPings = false, closesStreams = false, onClient }: TalosServerOptions = {},
): Promise<TalosServer> {
  const ca = await createTestCa()
  const { crt, key } = await ca.issueServer()
  const server = createSecureServer(
    {
      cert: crt,
      key: key.replaceAll('ED25519 ', ''),
      ca: ca.crt,
      requestCert: !maintenance,
      rejectUnauthorized: !maintenance && onClient === undefined,
    },
    connectNodeAdapter({ routes, connect: false, grpcWeb: false }),
  )
  if (onClient !== undefined)
    server.on('secureConnection', (socket: TLSSocket) => onClient(socket.getPeerCertificate()))
  let tooManyPings = 0
  if (limitsPings) server.on('session', (session) => limitPings(session, () => tooManyPings++))
  if (closesStreams) server.on('stream', (stream) => stream.close(constants.NGHTTP2_NO_ERROR))
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
    endedForPings: () => tooManyPings,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}

const pingsEveryMs = { withStreams: 5 * 60_000, withoutStreams: 2 * 60 * 60_000 }
const earlyPingsAllowed = 2

/** As grpc-go's servers do by default: too many pings while nothing is sent end the connection. */
function limitPings(session: ServerHttp2Session, onEnd: () => void): void {
  let earlyPings = 0
  let streams = 0
  let lastPingAt = Number.NEGATIVE_INFINITY
  let hasSent = false
  session.on('stream', (stream: ServerHttp2Stream) => {
    streams++
    stream.once('close', () => streams--)
    onSending(stream, () => {
      hasSent = true
    })
  })
  session.on('ping', () => {
    const now = performance.now()
    const isEarly = now - lastPingAt < (streams > 0 ? pingsEveryMs.withStreams : pingsEveryMs.withoutStreams)
    lastPingAt = now
    if (hasSent) earlyPings = 0
    else if (isEarly) earlyPings++
    hasSent = false
    if (earlyPings <= earlyPingsAllowed) return
    session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings'))
    session.destroy()
    onEnd()
  })
}

function onSending(stream: ServerHttp2Stream, report: () => void): void {
  const { respond, write } = stream
  stream.respond = (...given) => {
    report()
    respond.apply(stream, given)
  }
  stream.write = (...given: unknown[]) => {
    report()
    return Reflect.apply(write, stream, given)
  }
}
