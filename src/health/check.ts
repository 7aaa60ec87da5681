import type { World } from '../world.js'

/** What a check may query: nodes and Kubernetes, read-only. */
export interface HealthContext {
  readonly world: Pick<World, 'talos' | 'kubernetes'>
  readonly signal: AbortSignal
}

export type CheckResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string }
  /** The check does not apply, and why. */
  | { readonly skipped: string }

/** One condition that must hold. The name completes the sentence "waiting for …": "dev-cp-1: etcd to be healthy". */
export interface Check {
  readonly name: string
  run(context: HealthContext): Promise<CheckResult>
}

export const healthy: CheckResult = { ok: true }

export function unhealthy(reason: string): CheckResult {
  return { ok: false, reason }
}

/** Healthy if there are no problems; otherwise all of them in one sentence. */
export function healthyUnless(problems: readonly string[]): CheckResult {
  return problems.length === 0 ? healthy : unhealthy(problems.join('; '))
}
