import type { Target } from '../../../reach/dialer.js'
import { formatTarget, ReachError, type ReachReason, reachErrorFrom } from '../../../reach/reach-error.js'
import type { ProxmoxErrorKind } from '../../model/error-rule.js'
import { type CallOutcome, ProxmoxError } from '../../model/proxmox-error.js'
import type { Call } from './call.js'

/** An endpoint that did not respond, and why. */
export interface ConnectionFailure {
  readonly target: Target
  readonly why: ReachError
}

export function connectionFailure(target: Target, cause: unknown): ConnectionFailure {
  return { target, why: isDeadline(cause) ? tooLate(target) : reachErrorFrom(cause, target) }
}

/** The problem in the user's words; `isFinal` if a retry is pointless until something is changed. */
const verdicts: Readonly<Record<ReachReason, { kind: ProxmoxErrorKind; isFinal: boolean }>> = {
  unresolved: { kind: 'unreachable', isFinal: true },
  'port-closed': { kind: 'unreachable', isFinal: false },
  'no-answer': { kind: 'timed-out', isFinal: true },
  unreachable: { kind: 'unreachable', isFinal: false },
  cut: { kind: 'unreachable', isFinal: false },
  untrusted: { kind: 'untrusted', isFinal: true },
  'wrong-pin': { kind: 'untrusted', isFinal: true },
  'refused-handshake': { kind: 'not-proxmox', isFinal: true },
  'proxy-refused': { kind: 'unreachable', isFinal: false },
  'unknown-host-key': { kind: 'untrusted', isFinal: true },
  'changed-host-key': { kind: 'untrusted', isFinal: true },
  'revoked-host-key': { kind: 'untrusted', isFinal: true },
  'refused-login': { kind: 'unreachable', isFinal: true },
  'refused-forward': { kind: 'unreachable', isFinal: false },
  'missing-key': { kind: 'unreachable', isFinal: true },
}

const fixes = {
  expired:
    'Renew the certificate on the host with pvecm updatecerts --force and restart pveproxy there; if it is still good, the clock of this computer is wrong.',
  'wrong-pin':
    'Compare what it shows with System, Certificates of that host in Proxmox. If they are the same, its certificate was renewed: put it into proxmox.fingerprint, or, where a yes was remembered, delete that host from trust.json in ~/.local/state/ichor.',
  'refused-handshake': 'Check that proxmox.endpoint is the API of a Proxmox host, https and usually port 8006.',
} as const

const mayBeDown = new Set<ProxmoxErrorKind>(['unreachable', 'timed-out'])
const oneOfThem = 'Check that at least one of these hosts is up, and that it can be reached from this computer.'
const another = 'If that host is down, name another one of its cluster in proxmox.endpoints.'

/** The host that the query is about is off, so it was not sent or not awaited. */
export function offlineError({ method, path }: Call, host: string): ProxmoxError {
  const rule = {
    kind: 'host-down' as const,
    pattern: /$/,
    message: () => `${host} is offline.`,
    fix: 'Bring the host back, or exclude it in the inventory (proxmox.target_nodes, placement.avoid).',
  }
  const reason = `The cluster reports ${host} as offline.`
  return new ProxmoxError({ method, path, reason, outcome: 'failed', rule })
}

/** No endpoint responded; the fix is that of the last one. */
export function unreachableError(
  { method, path }: Call,
  failures: readonly [ConnectionFailure, ...ConnectionFailure[]],
  outcome: CallOutcome,
  hasAnotherEndpoint = false,
) {
  const last = failures.at(-1) ?? failures[0]
  const { kind, isFinal } = verdicts[last.why.reason]
  const areAlike = failures.length > 1 && failures.every(({ why }) => why.reason === last.why.reason)
  const addresses = failures.map(({ target }) => formatTarget(target)).join(', ')
  const reason = areAlike
    ? `Proxmox does not respond at any of its ${failures.length} addresses. ${last.why.message}`
    : failures.map(({ why }) => why.message).join(' ')
  const endpoint = areAlike ? addresses : failures.map(placeOf).join(', ')
  const rule = {
    kind,
    pattern: /$/,
    message: () => reason,
    fix: areAlike && mayBeDown.has(kind) ? oneOfThem : fixFor(failures),
    ...(isFinal && !hasAnotherEndpoint ? {} : { isTransient: true as const }),
  }
  return new ProxmoxError({ method, path, endpoint, reason, outcome, rule, cause: last.why })
}

function fixFor([first, ...others]: readonly [ConnectionFailure, ...ConnectionFailure[]]): string {
  const { why } = others.at(-1) ?? first
  const isOnlyHost = others.length === 0 && mayBeDown.has(verdicts[why.reason].kind) && !isOnTheWay(first)
  return isOnlyHost ? `${fixOf(why)} ${another}` : fixOf(why)
}

/** Whether a jump host or proxy did not respond, so the host was never contacted. */
function isOnTheWay({ target, why }: ConnectionFailure): boolean {
  return !why.where.startsWith(formatTarget(target))
}

/** The dialer may know more about the host than its address: which certificate it presented. */
function placeOf(failure: ConnectionFailure): string {
  const host = formatTarget(failure.target)
  return isOnTheWay(failure) ? `${host} by way of ${failure.why.where}` : failure.why.where
}

/** Certificate problems have Proxmox fixes; the dialer knows the fix for all others. */
function fixOf({ reason, cause, fix }: ReachError): string {
  const isExpired = cause instanceof Error && 'code' in cause && cause.code === 'CERT_HAS_EXPIRED'
  if (isExpired) return fixes.expired
  return reason === 'wrong-pin' || reason === 'refused-handshake' ? fixes[reason] : fix
}

/** Whether the host itself has failed, so that another one is tried first for a while. */
export function isDead({ why }: ConnectionFailure): boolean {
  return why.reason !== 'cut'
}

function isDeadline(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError'
}

function tooLate(target: Target): ReachError {
  return new ReachError('no-answer', `${formatTarget(target)} did not answer in time.`, {
    where: formatTarget(target),
    fix: 'Check that the host is up and not overloaded.',
  })
}
