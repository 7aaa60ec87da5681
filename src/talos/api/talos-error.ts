import { Code, ConnectError } from '@connectrpc/connect'
import { type ErrorDetails, UserFacingError } from '../../errors.js'
import { formatTarget, ReachError } from '../../reach/reach-error.js'
import { type CodeName, ruleOf } from './codes.js'
import type { TalosTarget } from './port.js'
import { HungUp, NotDialled } from './session.js'
import { FellSilent } from './stream.js'

interface TalosErrorDetails extends ErrorDetails {
  readonly target: TalosTarget
  readonly grpcCode: CodeName
}

/** A node refused a call or could not be reached. */
export class TalosError extends UserFacingError {
  readonly code: string = 'talos'
  readonly exitCode = 1
  readonly machine: string
  readonly address: string
  readonly grpcCode: CodeName
  /** Whether the same call may succeed later: the node boots, restarts a listener, or is busy. */
  readonly isTransient: boolean

  constructor(problem: string, { target, grpcCode, ...details }: TalosErrorDetails) {
    super(problem, details)
    this.machine = target.machine
    this.address = addressOf(target)
    this.grpcCode = grpcCode
    this.isTransient = ruleOf(grpcCode).isTransient
  }
}

export const talosPort = 50_000

export function addressOf(target: TalosTarget): string {
  return formatTarget({ host: target.address, port: target.port ?? talosPort })
}

/** Converts whatever a call threw; our own aborts and user-facing errors stay unchanged. */
export function talosErrorFrom(thrown: unknown, target: TalosTarget, call: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  const causes = causesOf(thrown)
  const reach = causes.find((cause) => cause instanceof ReachError)
  if (reach !== undefined) return unreachable(reach, target, call)
  const spoken = causes.find((cause) => cause instanceof UserFacingError)
  if (spoken !== undefined) return spoken
  if (causes.some(isTlsAlert)) return refusedCertificate(thrown, target, call)
  if (causes.some((cause) => cause instanceof HungUp)) return hungUp(thrown, target, call)
  const notDialled = causes.find((cause) => cause instanceof NotDialled)
  if (notDialled !== undefined) return notAsked(notDialled, target, call)
  if (thrown instanceof FellSilent) return answered('DeadlineExceeded', thrown.message, target, call, thrown)
  const error = ConnectError.from(thrown)
  return answered(nameOf(error), error.rawMessage, target, call, thrown)
}

const unsupported = {
  message: 'asks for something that this Talos does not have',
  fix: 'Check the spelling and the Talos version of the node: talosctl get rd lists its resource types.',
}

/** A node denies resource types and namespaces that it does not know, whatever the certificate. */
function isUnsupported(grpcCode: CodeName, words: string): boolean {
  return grpcCode === 'PermissionDenied' && /^(resource type|namespace) ".*" is not supported$/.test(words)
}

/** A node's error, from its code and message. */
export function answered(
  grpcCode: CodeName,
  words: string,
  target: TalosTarget,
  call: string,
  cause?: unknown,
): TalosError {
  const { message, fix } = isUnsupported(grpcCode, words) ? unsupported : ruleOf(grpcCode)
  return new TalosError(`${target.machine}: ${call} ${message}${words === '' ? '' : `: ${words.trimEnd()}`}`, {
    target,
    grpcCode,
    where: `${target.machine} (${addressOf(target)}), gRPC code ${grpcCode}`,
    fix,
    cause,
  })
}

function unreachable(reach: ReachError, target: TalosTarget, call: string): TalosError {
  return new TalosError(`${target.machine}: ${call} failed. ${reach.message}`, {
    target,
    grpcCode: 'Unavailable',
    where: `${target.machine} (${addressOf(target)}), gRPC code Unavailable`,
    fix: reach.fix,
    cause: reach,
  })
}

/** Something on this computer was missing, such as the cluster secrets. */
function notAsked(failure: NotDialled, target: TalosTarget, call: string): TalosError {
  return new TalosError(`${target.machine}: ${call} failed: ${failure.message}.`, {
    target,
    grpcCode: 'Unavailable',
    where: `${target.machine} (${addressOf(target)})`,
    fix: ruleOf('Unavailable').fix,
    cause: failure,
  })
}

function refusedCertificate(thrown: unknown, target: TalosTarget, call: string): TalosError {
  return new TalosError(`${target.machine}: ${call} was refused, because the node does not accept our certificate.`, {
    target,
    grpcCode: 'Unauthenticated',
    where: `${target.machine} (${addressOf(target)}), gRPC code Unauthenticated`,
    fix: 'Check that the secrets are those of this cluster, that the client certificate is not expired, and that the clock of the node is right.',
    cause: thrown,
  })
}

/** Happens when a node closes its API, or does not accept our client certificate. */
function hungUp(thrown: unknown, target: TalosTarget, call: string): TalosError {
  return new TalosError(`${target.machine}: ${call} got no answer: the node hung up right after the TLS handshake.`, {
    target,
    grpcCode: 'Unavailable',
    where: `${target.machine} (${addressOf(target)}), gRPC code Unavailable`,
    fix: 'If the error persists, the node does not accept the certificate of ichor: check that the secrets are those of this cluster, and its clock.',
    cause: thrown,
  })
}

/** A code with a cause was created locally, when the connection broke: it does not come from the node. */
function nameOf(error: ConnectError): CodeName {
  const isOurs = error.cause instanceof Error && (error.code === Code.Aborted || error.code === Code.Internal)
  return isOurs || error.code === Code.Canceled ? 'Unavailable' : (Code[error.code] as CodeName)
}

function isTlsAlert(cause: unknown): boolean {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code
  return typeof code === 'string' && code.startsWith('ERR_SSL')
}

function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = []
  for (let cause = thrown; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause)
  return causes
}
