import { type ErrorDetails, UserFacingError } from '../errors.js'

export interface FailedCall {
  /** `apply`, `evict`, `get`. */
  readonly verb: string
  /** `Deployment kube-system/coredns`, or a path. */
  readonly object: string
  /** The reason of the API (`NotFound`, `Conflict`, `Forbidden`), or `Unreachable`. */
  readonly reason: string
  /** HTTP status; missing without a response. */
  readonly status?: number
}

const awayStatuses = new Set([502, 503, 504])

/** A failed call to the Kubernetes API. */
export class KubernetesError extends UserFacingError {
  readonly code: string = 'kubernetes'
  readonly exitCode = 1
  readonly verb: string
  readonly object: string
  readonly reason: string
  readonly status: number | undefined
  /** No response, or only that the API is starting or stopping: it may be back in a minute. */
  readonly isApiAway: boolean

  constructor(problem: string, { verb, object, reason, status }: FailedCall, details: ErrorDetails) {
    super(problem, details)
    this.verb = verb
    this.object = object
    this.reason = reason
    this.status = status
    // API servers also return 500 when etcd has no leader.
    this.isApiAway =
      reason === 'Unreachable' || awayStatuses.has(status ?? 0) || (status === 500 && /etcdserver/.test(problem))
  }
}

export function isNotFound(thrown: unknown): boolean {
  return thrown instanceof KubernetesError && thrown.status === 404
}

export function isConflict(thrown: unknown): boolean {
  return thrown instanceof KubernetesError && thrown.status === 409
}

/** The API server answers, and cannot decrypt or decode what lies in etcd. */
export function isUnreadableData(thrown: unknown): thrown is KubernetesError {
  return thrown instanceof KubernetesError && thrown.status === 500 && !thrown.isApiAway
}

const fixes: Readonly<Record<string, string>> = {
  Unauthorized: 'Check that the secrets file belongs to this cluster: its Kubernetes CA signs our certificate.',
  Forbidden: 'Check the roles of this user; the certificate created by ichor is in system:masters.',
  NotFound: 'Check the name, and that the API group is installed.',
  Conflict: 'These fields have another owner. Remove them from the manifest, or force ownership.',
  Invalid: 'Correct the manifest: the API names the field.',
  TooManyRequests: 'Wait for the pods that the disruption budget protects, or loosen the budget.',
  Unreachable: 'Check that a control plane runs and that its address can be reached from here.',
}

/** The error for a response that is not a success. */
export function errorFromStatus(
  call: { verb: string; object: string; where: string },
  status: number,
  body: unknown,
): KubernetesError {
  const parsed = statusOf(body)
  const reason = parsed.reason ?? (status === 401 ? 'Unauthorized' : `Status${status}`)
  const message = parsed.message ?? `the API answered ${status}`
  return new KubernetesError(
    `Could not ${call.verb} ${call.object}: ${message}.`,
    { verb: call.verb, object: call.object, reason, status },
    {
      where: call.where,
      fix:
        fixes[reason] ??
        'Run the command again. If the error persists, check the events and the logs of the API server.',
    },
  )
}

/** The error for a call without a response. */
export function unreachable(call: { verb: string; object: string; where: string }, cause: unknown): KubernetesError {
  const words = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
  return new KubernetesError(
    `Could not ${call.verb} ${call.object}: ${words}.`,
    { verb: call.verb, object: call.object, reason: 'Unreachable' },
    { where: call.where, fix: fixes.Unreachable ?? '', cause },
  )
}

function statusOf(body: unknown): { reason?: string; message?: string } {
  if (typeof body !== 'object' || body === null || !('kind' in body) || body.kind !== 'Status') return {}
  const { reason, message } = body as { reason?: unknown; message?: unknown }
  return {
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}
