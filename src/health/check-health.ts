import type { Check, CheckResult, HealthContext } from './check.js'
import { runCheck } from './wait-for.js'

export interface HealthReport {
  readonly healthy: boolean
  readonly checks: readonly { readonly name: string; readonly result: CheckResult }[]
  /** What is healthy now and will not stay so, each with its fix. */
  readonly warnings?: readonly { readonly text: string; readonly fix: string }[]
}

/** Runs all checks once, in parallel, and returns the results. */
export async function checkHealth(checks: readonly Check[], context: HealthContext): Promise<HealthReport> {
  const answers = await Promise.all(
    checks.map(async (check) => ({ name: check.name, result: await runCheck(check, context) })),
  )
  return { healthy: answers.every(({ result }) => !('ok' in result) || result.ok), checks: answers }
}
