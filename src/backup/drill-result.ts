import { z } from 'zod'
import type { SecretsBundle } from '../secrets/bundle.js'
import { isSeal, sealOf } from './snapshot-seal.js'

const counts = z.record(z.string(), z.int())

const drillSchema = z.object({
  version: z.literal(1),
  at: z.iso.datetime(),
  outcome: z.enum(['passed', 'failed']),
  offline: z.boolean(),
  recovery_ms: z.int().min(0),
  expected: counts,
  found: counts,
  missing: counts,
})

const drillFile = z.object({ result: drillSchema, snapshot: z.string(), seal: z.string() })

/** `NAME.drill.json`: whether the drill of the snapshot passed, and what was restored. */
export type DrillResult = z.output<typeof drillSchema>

/** Sealed with the secrets of the cluster, together with the name of the snapshot that it is about. */
export function formatDrill(result: DrillResult, snapshot: string, bundle: SecretsBundle): string {
  const drilled = { result, snapshot }
  return `${JSON.stringify({ ...drilled, seal: sealOf(drilled, bundle) }, null, 2)}\n`
}

/** `undefined` for a file that is damaged or that this cluster did not write: then nothing is proven. */
export function findDrill(text: string, name: string, bundle: SecretsBundle): DrillResult | undefined {
  try {
    const { result, snapshot, seal } = drillFile.parse(JSON.parse(text))
    return snapshot === name && isSeal(seal, { result, snapshot }, bundle) ? result : undefined
  } catch {
    return undefined
  }
}

/** What was saved and not restored, by prefix. */
export function missingKeys(
  expected: Readonly<Record<string, number>>,
  found: Readonly<Record<string, number>>,
): Record<string, number> {
  const lost = Object.entries(expected).map(([prefix, count]) => [prefix, count - (found[prefix] ?? 0)] as const)
  return Object.fromEntries(lost.filter(([, count]) => count > 0))
}
