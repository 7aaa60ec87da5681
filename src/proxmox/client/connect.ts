import type { Dialer } from '../../reach/dialer.js'
import type { Clock } from '../../world.js'
import { accessCalls } from './access.js'
import { agentCalls } from './agent.js'
import { backupCalls } from './backup.js'
import { clusterCalls } from './cluster.js'
import { firewallCalls } from './firewall.js'
import { highAvailabilityCalls } from './high-availability.js'
import { holdCalls } from './hold.js'
import { hostCalls } from './hosts.js'
import { imageCalls } from './images.js'
import { learnEndpoints } from './learn-endpoints.js'
import { machineCalls } from './machines.js'
import { poolCalls } from './pools.js'
import type { ProxmoxPort } from './port.js'
import { createStartTask } from './start-task.js'
import { storageCalls } from './storage.js'
import { taskCalls } from './tasks.js'
import { createApi } from './transport/api.js'
import { type Auth, createAuthentication, type Ticket } from './transport/authentication.js'
import type { CallReport } from './transport/call.js'
import { parseEndpoint } from './transport/endpoint.js'
import { createEndpoints, type Endpoint, type Endpoints, type KnownHost } from './transport/endpoints.js'
import { logIn } from './transport/log-in.js'
import { createOfflineHosts } from './transport/offline-hosts.js'
import { createSilenceNotice } from './transport/silence-notice.js'
import type { Trust } from './transport/trust.js'

export interface ProxmoxOptions {
  /** `https://pve1:8006`; a trailing `/api2/json` is allowed. */
  readonly endpoints: readonly string[]
  readonly auth: Auth
  readonly trust: Trust
  readonly dialer: Dialer
  readonly clock: Clock
  /** A lab, whose time passes faster: its clock is not compared with ours. */
  readonly hasOwnTime?: boolean
  readonly concurrencyPerHost?: number
  /** For one call; Proxmox itself gives up after 30 seconds. */
  readonly deadlineMs?: number
  /** For one task. */
  readonly taskDeadlineMs?: number
  /** Task durations of earlier runs, by type: when to poll first. */
  readonly usualTaskMs?: Readonly<Record<string, number>>
  /** Sent with every request in addition to our own. */
  readonly headers?: Readonly<Record<string, string>>
  readonly onCall?: (call: CallReport) => void
  /** Receives notices while a host does not respond. */
  readonly notify?: (text: string) => void
  /** Hosts of the same cluster, used if the named ones do not respond. */
  readonly otherHosts?: readonly KnownHost[]
  /** Receives the hosts that the cluster reports. */
  readonly onHostsLearned?: (hosts: readonly KnownHost[]) => void
}

/** Abandoned calls may outlive the last notice. */
function whileOpen(notify: (text: string) => void, { signal }: AbortController): (text: string) => void {
  return (text) => {
    if (!signal.aborted) notify(text)
  }
}

/** The first answer of any host, over new connections. */
async function firstOf<T>(endpoints: Endpoints, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> {
  const fresh = endpoints.fresh()
  try {
    return await Promise.any(fresh.map(ask))
  } finally {
    for (const { connections } of fresh) connections.destroy()
  }
}

/** For a new connection and one short response. */
const probeMs = 5000

/** The client. Sends nothing before the first call. */
export function connectProxmox(options: ProxmoxOptions): ProxmoxPort {
  const {
    trust,
    dialer,
    clock,
    headers = {},
    concurrencyPerHost = 8,
    deadlineMs = 35_000,
    taskDeadlineMs = 7_200_000,
  } = options
  const closing = new AbortController()
  const targets = options.endpoints.map(parseEndpoint)
  const endpoints = createEndpoints(targets, { trust, dialer, clock, concurrencyPerHost })
  for (const host of options.otherHosts ?? []) endpoints.learn(host)
  const wire = {
    endpoints,
    clock,
    headers,
    deadlineMs,
    ...(options.onCall === undefined ? {} : { onCall: options.onCall }),
    ...(options.notify === undefined ? {} : { watchSilence: createSilenceNotice(whileOpen(options.notify, closing)) }),
  }

  const login = async (username: string, password: string): Promise<Ticket> => {
    const anonymous = { identity: username, headers: () => Promise.resolve({}), renew: () => false }
    const door = createApi({ ...wire, authentication: anonymous })
    return logIn(door, username, password, closing.signal)
  }
  const authentication = createAuthentication(options.auth, login, () => clock.monotonic())
  const askAlone = async (endpoint: Endpoint, path: string, signal: AbortSignal): Promise<unknown> => {
    const alone = { ...endpoints, inOrder: () => [endpoint], answered: () => {}, failed: () => {} }
    const once = createApi({ endpoints: alone, authentication, clock, deadlineMs: probeMs, headers })
    return once.get(path, {}, signal)
  }
  const askStatus = () => firstOf(endpoints, (endpoint) => askAlone(endpoint, '/cluster/status', closing.signal))
  const offlineHosts = createOfflineHosts(endpoints, clock, askStatus)
  const api = createApi({ ...wire, authentication, offlineHosts })
  const learning = learnEndpoints(api, endpoints, targets, closing.signal, options.onHostsLearned)
  const startTask = createStartTask(learning, clock)
  const probe = async (endpoint: Endpoint, signal: AbortSignal): Promise<void> => {
    await askAlone(endpoint, '/version', signal)
  }

  return {
    cluster: clusterCalls(learning, { hasOwnTime: options.hasOwnTime ?? false }),
    hosts: hostCalls(learning),
    machines: machineCalls(learning, startTask),
    tasks: taskCalls(learning, clock, taskDeadlineMs, options.usualTaskMs),
    storage: storageCalls(learning, startTask),
    images: imageCalls(startTask),
    pools: poolCalls(learning),
    agent: agentCalls(learning),
    access: accessCalls(learning),
    firewall: firewallCalls(learning),
    hold: holdCalls(endpoints, probe, closing.signal),
    highAvailability: highAvailabilityCalls(learning),
    backup: backupCalls(learning),
    trust,
    close: async () => {
      closing.abort(new Error('the client was closed'))
      endpoints.close()
    },
  }
}
