import { withOwnSignal } from '../../../reach/with-deadline.js'
import type { Clock } from '../../../world.js'
import { type ClusterStatus, readClusterStatus } from '../cluster-status.js'
import type { Call } from './call.js'
import type { Endpoint, Endpoints } from './endpoints.js'

/** What the cluster reports about its hosts, and the queries that wait for one that is lost. */
export interface OfflineHosts {
  /** The offline host that this query is about. */
  find(call: Call): string | undefined
  /** Takes note of what was read. */
  hear(call: Call, data: unknown): void
  /** Asks the cluster, over new connections, whether the host that this query is about is offline. */
  confirm(call: Call): Promise<boolean>
  /** Runs the work of a query; ends it with a timeout once its host, or the one that it was sent to, is offline. */
  unlessLost<T>(
    call: Call,
    endpoint: Endpoint,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

/** An answer takes milliseconds. Proxmox reports a dead host after six seconds, and waits for it up to thirty. */
const lookAfterMs = 2000
/** The host may have come back since the last report. */
const reportCountsMs = 15_000

export function createOfflineHosts(
  endpoints: Endpoints,
  clock: Pick<Clock, 'monotonic'>,
  ask: () => Promise<unknown>,
): OfflineHosts {
  const offlineUntil = new Map<string, number>()
  let looking: Promise<void> | undefined

  const note = ({ quorate, hosts }: ClusterStatus) => {
    // A host that is cut off takes all others for offline.
    if (!quorate) return
    const offline = hosts.filter(({ online }) => !online)
    offlineUntil.clear()
    for (const { name } of offline) offlineUntil.set(name, clock.monotonic() + reportCountsMs)
    endpoints.leaveOut(offline)
  }
  const look = () => {
    looking ??= ask()
      .then((status) => note(readClusterStatus(status)), ignore)
      .finally(() => {
        looking = undefined
      })
    return looking
  }
  const find = ({ method, path }: Call) => {
    const host = method === 'GET' ? hostIn(path) : undefined
    return host !== undefined && (offlineUntil.get(host) ?? 0) > clock.monotonic() ? host : undefined
  }

  return {
    find,
    confirm: async (call) => {
      if (hostIn(call.path) === undefined) return false
      await look()
      return find(call) !== undefined
    },
    hear: ({ method, path }, data) => {
      if (method === 'GET' && path === '/cluster/status') note(readClusterStatus(data))
    },
    unlessLost: (call, endpoint, signal, work) => {
      if (call.method !== 'GET') return work(signal)
      const isLost = () => find(call) !== undefined || endpoints.isLeftOut(endpoint)
      const arm = (end: (reason: unknown) => void) => {
        const lookAndEnd = () => look().then(() => isLost() && end(new DOMException('offline', 'TimeoutError')))
        const timer = setInterval(() => void lookAndEnd(), lookAfterMs).unref()
        return () => clearInterval(timer)
      }
      return withOwnSignal(signal, arm, work)
    },
  }
}

const ignore = () => undefined

/** For a client that asks a single host. */
export const noOfflineHosts: OfflineHosts = {
  find: () => undefined,
  hear: () => undefined,
  confirm: async () => false,
  unlessLost: (_call, _endpoint, signal, work) => work(signal),
}

function hostIn(path: string): string | undefined {
  return /^\/nodes\/([^/]+)\//.exec(path)?.[1]
}
