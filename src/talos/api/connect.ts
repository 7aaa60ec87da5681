import { X509Certificate } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { oncePer } from '../../cluster/lookup.js'
import type { Dialer } from '../../reach/dialer.js'
import { createKeptConnections } from '../../reach/kept-connections.js'
import { secureConnect } from '../../reach/tls.js'
import type { Clock } from '../../world.js'
import { openChannel } from './channel.js'
import { maintenanceNode } from './maintenance.js'
import { talosNode, version } from './node.js'
import type { TalosCredentials, TalosNode, TalosPort, TalosTarget } from './port.js'
import { createSessionManager, type SessionManager } from './session.js'
import { addressOf, TalosError, talosPort } from './talos-error.js'

export interface TalosConnection {
  readonly dialer: Dialer
  readonly clock: Clock
  /** Called for each new connection, so that rotated credentials are picked up. */
  readonly credentials: () => Promise<TalosCredentials>
}

interface AddressConnection {
  readonly sessions: SessionManager
  /** By machine, because several may have had the address. */
  readonly nodes: Map<string, TalosNode>
}

/** Talos's API on every node, through one dialer. Does not dial before the first call. */
export function connectTalos({ dialer, clock, credentials }: TalosConnection): TalosPort {
  const connections = createKeptConnections<AddressConnection>({
    monotonic: () => clock.monotonic(),
    isBusy: ({ sessions }) => sessions.isBusy(),
    close: ({ sessions }) => sessions.close(),
  })
  const closing = new AbortController()
  // Every node's dial listens to it; with a large fleet this is not a leak.
  setMaxListeners(0, closing.signal)

  const openAt = (target: TalosTarget) => (): AddressConnection => {
    const dial = async () => dialSecured(dialer, target, await credentials(), clock, closing.signal)
    return { sessions: createSessionManager(`https://${addressOf(target)}`, dial), nodes: new Map() }
  }

  const nodeAt = (target: TalosTarget) => {
    const { sessions, nodes } = connections.get(addressOf(target), openAt(target))
    const node = nodes.get(target.machine) ?? talosNode(openChannel(target, sessions))
    nodes.set(target.machine, node)
    return node
  }

  const probe = async (target: TalosTarget, given: TalosCredentials, signal: AbortSignal, node?: string) => {
    const dial = () => dialSecured(dialer, target, given, clock, signal)
    const sessions = createSessionManager(`https://${addressOf(target)}`, dial)
    try {
      return await version(openChannel(target, sessions), signal, node)
    } finally {
      sessions.close()
    }
  }

  return {
    node: nodeAt,
    maintenance: (target) => maintenanceNode(dialer, target),
    probe: (target, given, signal) => probe(target, given, signal),
    probeThrough: (through, target, given, signal) => probe(through, given, signal, target.address),
    close: async () => {
      closing.abort(new Error('The connection to Talos was closed.'))
      connections.clear()
    },
  }
}

async function dialSecured(
  dialer: Dialer,
  target: TalosTarget,
  credentials: TalosCredentials,
  clock: Clock,
  signal: AbortSignal,
): Promise<TLSSocket> {
  refuseExpired(credentials, target, clock)
  return secureConnect(
    dialer,
    { host: target.address, port: target.port ?? talosPort },
    {
      trust: { ca: credentials.ca },
      clientCert: { crt: credentials.crt, key: credentials.key },
      alpn: ['h2'],
    },
    signal,
  )
}

const expiryOf = oncePer(({ crt }: TalosCredentials) => new X509Certificate(crt).validTo)

/** The node would only close the connection; here the reason can still be reported. */
function refuseExpired(credentials: TalosCredentials, target: TalosTarget, clock: Clock): void {
  const validTo = expiryOf(credentials)
  if (Date.parse(validTo) > clock.now()) return
  throw new TalosError(`Our client certificate for Talos expired on ${validTo}.`, {
    target,
    grpcCode: 'Unauthenticated',
    where: `${target.machine} (${addressOf(target)})`,
    fix: 'Create a new one with "ichor talosconfig": it needs the secrets of the cluster.',
  })
}
