import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Dialer, Target } from '../../../reach/dialer.js'
import { secureConnect } from '../../../reach/tls.js'
import { type Trust, tlsTrust } from './trust.js'

/** Proxmox closes idle connections after five seconds; one that may be closing must not carry a write. */
const longestIdleMs = 4000

/** Keeps connections to one host alive. The request's own signal ends a dial that nobody waits for any more. */
export class Connections extends Agent {
  readonly #open: (signal: AbortSignal) => Promise<Duplex>

  constructor(target: Target, trust: Trust, dialer: Dialer) {
    super({ keepAlive: true, timeout: longestIdleMs, maxCachedSessions: 0 })
    const options = { trust: tlsTrust(trust), alpn: ['http/1.1'] }
    this.#open = (signal) => secureConnect(dialer, target, options, signal)
  }

  createConnection(
    options: { dialSignal: AbortSignal },
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    this.#open(options.dialSignal).then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
  }
}
