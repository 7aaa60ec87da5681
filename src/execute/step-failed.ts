import { type ErrorDetails, UserFacingError } from '../errors.js'

/** One step could not be done; says what it was and how to go on. */
export class StepFailed extends UserFacingError {
  readonly code = 'step-failed'
  readonly exitCode = 1
  /** Why every step failed that did. */
  readonly causes: readonly unknown[]

  constructor(problem: string, { causes, ...details }: ErrorDetails & { readonly causes: readonly unknown[] }) {
    super(problem, details)
    this.causes = causes
  }
}

/**
 * Whether a round failed only because something could not be reached: a host of Proxmox that died, or nodes that did not answer in
 * time. Anything else is a failure of its own.
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
