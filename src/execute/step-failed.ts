import { type ErrorDetails, UserFacingError } from '../errors.js'

/** A step failed; states which one and how to continue. */
export class StepFailed extends UserFacingError {
  readonly code = 'step-failed'
  readonly exitCode = 1
  /** The causes of all failed steps. */
  readonly causes: readonly unknown[]

  constructor(problem: string, { causes, ...details }: ErrorDetails & { readonly causes: readonly unknown[] }) {
    super(problem, details)
    this.causes = causes
  }
}

/**
 * Whether a round failed only because something was unreachable: a Proxmox host that failed, or nodes that did not
 * respond in time. Any other cause is a failure of its own.
 */
export function unreachableIn(thrown: unknown): 'host' | 'nodes' | undefined {
  if (!(thrown instanceof StepFailed) || !thrown.causes.every((cause) => isHostLoss(cause) || isTimeout(cause)))
    return undefined
  return thrown.causes.some(isHostLoss) ? 'host' : 'nodes'
}

/** Proxmox cannot reach the host that a call is for. */
export function isHostDown(cause: unknown): boolean {
  return cause instanceof UserFacingError && 'kind' in cause && cause.kind === 'host-down'
}

function isHostLoss(cause: unknown): boolean {
  return isHostDown(cause) || (cause instanceof UserFacingError && cause.code === 'host-offline')
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof UserFacingError && cause.code === 'timeout'
}
