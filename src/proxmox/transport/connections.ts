import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Dialer, Target } from '../../reach/dialer.js'
import { secure, type Trust } from './trust.js'

/** Proxmox closes idle connections after five seconds; one that may be closing must not carry a write. */
const longestIdleMs = 4000
/** Enough for a dial through a jump host; a host that is switched off must not cost the whole deadline. */
const longestDialMs = 10_000

/** Keeps connections to one host alive. The request's own signal ends a dial that nobody waits for any more. */
export class Connections extends Agent {
  readonly #open: (signal: AbortSignal) => Promise<Duplex>

  constructor(target: Target, trust: Trust, dialer: Dialer) {
    super({ keepAlive: true, timeout: longestIdleMs, maxCachedSessions: 0 })
    this.#open = async (requestSignal) => {
      const signal = AbortSignal.any([requestSignal, AbortSignal.timeout(longestDialMs)])
      const socket = await dialer.dial(target, signal)
      socket.setNoDelay(true)
      return secure(socket, target, trust, signal)
    }
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
