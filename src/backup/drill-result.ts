import { z } from 'zod'

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

/** `NAME.drill.json`: whether the drill of the snapshot passed, and what was restored. */
export type DrillResult = z.output<typeof drillSchema>

export function formatDrill(result: DrillResult): string {
  return `${JSON.stringify(result, null, 2)}\n`
}

/** `undefined` for a damaged or newer file: then nothing is proven. */
export function findDrill(text: string): DrillResult | undefined {
  try {
    return drillSchema.safeParse(JSON.parse(text)).data
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
