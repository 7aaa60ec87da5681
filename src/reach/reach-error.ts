import { type ErrorDetails, UserFacingError } from '../errors.js'
import type { Target } from './dialer.js'

/** Why something could not be reached, for code to branch on; users read the message. */
export type ReachReason =
  | 'unresolved'
  | 'port-closed'
  | 'no-answer'
  | 'unreachable'
  | 'cut'
  | 'untrusted'
  | 'wrong-pin'
  | 'refused-handshake'
  | 'proxy-refused'
  | 'unknown-host-key'
  | 'changed-host-key'
  | 'revoked-host-key'
  | 'refused-login'
  | 'refused-forward'
  | 'missing-key'

/** A connection failed: which route was tried, what stopped it, and the fix. */
export class ReachError extends UserFacingError {
  readonly code: string = 'reach'
  readonly exitCode = 1
  readonly reason: ReachReason

  constructor(reason: ReachReason, problem: string, details: ErrorDetails) {
    super(problem, details)
    this.reason = reason
  }
}

/** `10.0.10.11:50000`, and `[fd00::1]:50000` for IPv6. */
export function formatTarget({ host, port }: Target): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

interface NodeFailure {
  readonly reason: ReachReason
  readonly message: (target: Target) => string
  readonly fix: (target: Target) => string
}

const checkNetwork: NodeFailure['fix'] = ({ host }) =>
  `Check that ${host} is the right address, that it is powered on, and that a route leads there from this computer; behind a jump host, set proxmox.ssh or proxmox.socks.`

const failures: Readonly<Record<string, NodeFailure>> = {
  ENOTFOUND: {
    reason: 'unresolved',
    message: ({ host }) => `The name ${host} does not resolve.`,
    fix: ({ host }) => `Check the spelling of ${host}, or give its IP address.`,
  },
  EAI_AGAIN: {
    reason: 'unresolved',
    message: ({ host }) => `The name ${host} could not be looked up: no name server answered.`,
    fix: ({ host }) => `Check this computer's DNS settings, or give ${host} as an IP address.`,
  },
  ECONNREFUSED: {
    reason: 'port-closed',
    message: ({ host, port }) => `${host} answers, but nothing listens on port ${port}.`,
    fix: ({ host, port }) => `Check that the service on ${host} is up and that ${port} is its port.`,
  },
  ETIMEDOUT: {
    reason: 'no-answer',
    message: (target) => `Nothing answers at ${formatTarget(target)}.`,
    fix: checkNetwork,
  },
  EHOSTUNREACH: {
    reason: 'unreachable',
    message: ({ host }) => `${host} cannot be reached: no route leads to it, or it is not on the network.`,
    fix: checkNetwork,
  },
  ECONNRESET: {
    reason: 'cut',
    message: (target) => `The connection to ${formatTarget(target)} was cut.`,
    fix: () => 'Try again; if it happens every time, look for a firewall or proxy in between.',
  },
}

const sameAs: Readonly<Record<string, string>> = {
  ENETUNREACH: 'EHOSTUNREACH',
  EADDRNOTAVAIL: 'EHOSTUNREACH',
  EHOSTDOWN: 'EHOSTUNREACH',
  EPIPE: 'ECONNRESET',
}

/** A socket error of the operating system, in words. */
export function reachErrorFrom(thrown: unknown, target: Target): ReachError {
  if (thrown instanceof ReachError) return thrown
  const code = systemCode(thrown)
  const failure = failures[sameAs[code] ?? code]
  const where = formatTarget(target)
  if (failure === undefined) {
    const words = thrown instanceof Error ? thrown.message : String(thrown)
    return new ReachError('unreachable', `Connecting to ${where} failed: ${words}.`, {
      where,
      fix: checkNetwork(target),
      cause: thrown,
    })
  }
  return new ReachError(failure.reason, failure.message(target), { where, fix: failure.fix(target), cause: thrown })
}

/** If a name has several addresses, Node throws one error that contains the others; the first one is used. */
function systemCode(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return systemCode(thrown.errors[0])
  return (thrown as NodeJS.ErrnoException | undefined)?.code ?? ''
}
