import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { Code, ConnectError } from '@connectrpc/connect'
import type { GrpcTransportOptions } from '@connectrpc/connect-node'
import { reasonOf } from '../../errors.js'

/**
 * Holds one HTTP/2 session over a connection that is verified before HTTP/2 uses it: a socket that is destroyed during
 * the handshake after `http2.connect` took it aborts the process. A failed session is replaced at the next call.
 */
export type SessionManager = NonNullable<GrpcTransportOptions['sessionManager']> & {
  /** Whether a call or stream is in progress. */
  isBusy(): boolean
  close(): void
}

interface Session {
  readonly http2: ClientHttp2Session
  streams: number
  /** Monotonic milliseconds. */
  usedAt: number
  /** Pings since the peer last sent anything but ping replies, and when the last one was sent. */
  pings: number
  pingedAt: number
  /** The ping in progress. */
  asked?: Promise<boolean> | undefined
}

export function createSessionManager(authority: string, dial: () => Promise<TLSSocket>): SessionManager {
  let held: Session | undefined
  let replacing: Promise<Session> | undefined

  const replace = () => {
    replacing ??= open(authority, dial)
      .then((fresh) => {
        held = fresh
        return fresh
      })
      .finally(() => {
        replacing = undefined
      })
    return replacing
  }
  const usable = async () => (held !== undefined && (await isAlive(held)) ? held : replace())

  return {
    authority,
    async request(method, path, headers, options) {
      const all = { ...headers, ':method': method, ':path': path }
      return startStream(await usable(), all, options)
    },
    notifyResponseByteRead: (stream) => {
      if (held === undefined || held.http2 !== stream.session) return
      held.usedAt = performance.now()
      held.pings = 0
    },
    isBusy: () => replacing !== undefined || (held !== undefined && held.streams > 0),
    close: () => {
      if (held !== undefined) end(held.http2, 'it was closed')
      void replacing?.then((late) => end(late.http2, 'it was closed')).catch(() => {})
      held = undefined
    },
  }
}

const windowSize = 65_535 * 32
const pingIntervalMs = 10_000
const pingTimeoutMs = 5_000
/**
 * Talos's server closes a connection at the fourth ping of a silence, and accepts one every five minutes. One of the
 * four is kept in reserve: the server may count one that was sent before we read its last data.
 */
const pingsPerSilence = 2
const rarePingIntervalMs = 5 * 60_000 + pingIntervalMs
const probeTimeoutMs = 10_000

async function open(authority: string, dial: () => Promise<TLSSocket>): Promise<Session> {
  const socket = await dial().catch((thrown: unknown) => {
    throw new NotDialled(thrown)
  })
  if (socket.destroyed || socket.readableEnded) throw new HungUp()
  const http2 = connect(authority, {
    createConnection: () => socket,
    settings: { initialWindowSize: windowSize, enablePush: false },
  })
  const session: Session = { http2, streams: 0, usedAt: performance.now(), pings: 0, pingedAt: 0 }
  // Every stream receives the error itself; without a listener the process would exit.
  http2.on('error', () => {})
  // A session that the peer wants to close gets no new calls; running ones may finish.
  http2.on('goaway', () => http2.close())
  http2.once('connect', () => http2.setLocalWindowSize(windowSize))
  await probing(http2, socket)
  http2.unref()
  pingWhileInUse(session)
  return session
}

/**
 * In TLS 1.3 a server rejects our certificate after the handshake: only its first data shows that it was accepted. The
 * rejection arrives on the socket only, and a session whose socket failed that way does not close.
 */
function probing(http2: ClientHttp2Session, socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const onFailure = (error?: Error) => {
      clearTimeout(timer)
      end(http2, 'the node hung up')
      reject(new HungUp(error))
    }
    const timer = setTimeout(onFailure, probeTimeoutMs)
    socket.once('error', onFailure)
    http2.once('close', onFailure)
    http2.once('remoteSettings', () => {
      clearTimeout(timer)
      socket.off('error', onFailure)
      http2.off('close', onFailure)
      resolve()
    })
  })
}

/** With a reason and a code: calls on a session that ends without them would never end. */
function end(http2: ClientHttp2Session, why: string): void {
  if (!http2.destroyed) http2.destroy(new Error(why), constants.NGHTTP2_CANCEL)
}

/** No connection was established, so the node received nothing. */
export class NotDialled extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
  }
}

/** The peer closed the connection before it sent anything. */
export class HungUp extends Error {
  constructor(cause?: Error) {
    super('it hung up right after the TLS handshake', cause === undefined ? {} : { cause })
  }
}

/** The stream was closed before a response, for no reason that HTTP/2 has a code for. */
class Unanswered extends ConnectError {
  constructor() {
    super('the connection was closed before the response', Code.Unavailable)
  }
}

/**
 * Sends nothing if the session was used recently; a silent peer is pinged before it gets a call, and one that may not
 * be pinged again is replaced.
 */
async function isAlive(session: Session): Promise<boolean> {
  if (session.http2.closed || session.http2.destroyed) return false
  if (session.streams > 0 || performance.now() - session.usedAt < pingIntervalMs) return true
  if (session.asked === undefined && session.pings >= pingsPerSilence) {
    session.http2.close()
    return false
  }
  session.asked ??= ping(session).finally(() => {
    session.asked = undefined
  })
  return session.asked
}

/** A peer that disappears silently would leave a stream open forever. */
function pingWhileInUse(session: Session): void {
  const timer = setInterval(() => {
    if (session.streams > 0 && isPingDue(session)) void ping(session)
  }, pingIntervalMs).unref()
  session.http2.once('close', () => clearInterval(timer))
}

function isPingDue({ usedAt, pings, pingedAt }: Session): boolean {
  const now = performance.now()
  if (now - usedAt < pingIntervalMs) return false
  return pings < pingsPerSilence || now - pingedAt >= rarePingIntervalMs
}

function ping(session: Session): Promise<boolean> {
  session.pings++
  session.pingedAt = performance.now()
  return new Promise((resolve) => {
    const onClose = () => settle(false)
    const timer = setTimeout(() => end(session.http2, 'the node no longer answers'), pingTimeoutMs)
    const settle = (isAlive: boolean) => {
      clearTimeout(timer)
      session.http2.off('close', onClose)
      if (isAlive) session.usedAt = performance.now()
      else end(session.http2, 'the node no longer answers')
      resolve(isAlive)
    }
    session.http2.once('close', onClose)
    const sent = session.http2.ping((error) => settle(error === null))
    if (!sent) settle(false)
  })
}

/** An idle session does not keep the process running; one with calls does. */
function startStream(session: Session, headers: OutgoingHttpHeaders, options: object): ClientHttp2Stream {
  const stream = session.http2.request(headers, options)
  session.streams++
  session.usedAt = performance.now()
  session.http2.ref()
  let isAnswered = false
  stream.once('response', () => {
    isAnswered = true
  })
  stream.once('close', () => {
    session.streams--
    if (session.streams === 0 && !session.http2.destroyed) session.http2.unref()
    // Without an error, the gRPC library would wait for the response forever.
    if (!isAnswered && stream.rstCode === constants.NGHTTP2_NO_ERROR) stream.emit('error', new Unanswered())
  })
  return stream
}
