import { formatTarget } from '../../reach/reach-error.js'
import type { HoldCalls } from './port.js'
import type { Endpoint, Endpoints } from './transport/endpoints.js'

/** Proxmox closes a connection that is idle for five seconds, and every connection after a hundred requests. */
const pulseMs = 2000

/**
 * For a change that may lock this computer out: an existing connection is kept open and carries all calls until it is
 * released. `probe` requests the version of one host.
 */
export function holdCalls(
  endpoints: Endpoints,
  probe: (endpoint: Endpoint, signal: AbortSignal) => Promise<void>,
  closing: AbortSignal,
): HoldCalls {
  let pulse: NodeJS.Timeout | undefined
  let answered: readonly string[] = []

  /** Over new connections. */
  const findAnswering = async (signal: AbortSignal): Promise<string[]> => {
    const answers = endpoints.fresh().map(async (endpoint) => {
      try {
        await probe(endpoint, signal)
        return [endpoint.name]
      } catch {
        signal.throwIfAborted()
        return []
      } finally {
        endpoint.connections.destroy()
      }
    })
    return (await Promise.all(answers)).flat()
  }

  return {
    hold: async (signal) => {
      answered = await findAnswering(signal)
      const held = endpoints.hold()
      await probe(held, signal)
      clearInterval(pulse)
      pulse = setInterval(() => void probe(held, closing).catch(() => undefined), pulseMs).unref()
      const { local, remote } = held.connections.ends ?? {}
      return { endpoint: formatTarget(held.target), ...(local && remote ? { local, remote } : {}) }
    },
    findLost: async (signal) => {
      const now = await findAnswering(signal)
      return answered.filter((name) => !now.includes(name))
    },
    release: () => {
      clearInterval(pulse)
      endpoints.release()
    },
  }
}
