import type { World } from '../world.js'

/** What a check may ask: the nodes and Kubernetes, and nothing that changes them. */
export interface HealthContext {
  readonly world: Pick<World, 'talos' | 'kubernetes'>
  readonly signal: AbortSignal
}

export type CheckResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string }
  /** It does not apply here, and why. */
  | { readonly skipped: string }

/** One thing that must be so. The name ends the sentence "waiting for …": "dev-cp-1: etcd to be healthy". */
export interface Check {
  readonly name: string
  run(context: HealthContext): Promise<CheckResult>
}

export const healthy: CheckResult = { ok: true }

export function unhealthy(reason: string): CheckResult {
  return { ok: false, reason }
}

/** Healthy when nothing is wrong; otherwise everything that is, in one sentence. */
export function healthyUnless(problems: readonly string[]): CheckResult {
  return problems.length === 0 ? healthy : unhealthy(problems.join('; '))
}
