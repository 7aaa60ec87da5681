import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Dialer, Target } from '../../../reach/dialer.js'
import { secureConnect } from '../../../reach/tls.js'
import { type Trust, tlsTrust } from './trust.js'

/** Proxmox closes idle connections after five seconds; a connection that may be closing must not carry a write. */
const longestIdleMs = 4000

/** Missing through a tunnel. */
export interface ConnectionEnds {
  readonly local: string | undefined
  readonly remote: string | undefined
}

/** Keeps connections to one host alive. The signal of a request aborts its dial. */
export class Connections extends Agent {
  readonly #open: (signal: AbortSignal) => Promise<TLSSocket>
  /** Both ends of the connection that was opened last. */
  ends: ConnectionEnds | undefined

  constructor(target: Target, trust: Trust, dialer: Dialer, atMost = Number.POSITIVE_INFINITY) {
    super({ keepAlive: true, timeout: longestIdleMs, maxCachedSessions: 0, maxSockets: atMost })
    const options = { trust: tlsTrust(trust), alpn: ['http/1.1'] }
    this.#open = (signal) => secureConnect(dialer, target, options, signal)
  }

  createConnection(
    options: { dialSignal: AbortSignal },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    this.#open(options.dialSignal).then(
      (socket) => {
        this.ends = { local: socket.localAddress, remote: socket.remoteAddress }
        done(null, socket)
      },
      (error: Error) => done(error),
    )
  }
}
