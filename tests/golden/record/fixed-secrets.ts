import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SecretsBundle } from '../../../src/secrets/bundle.js'

/** All clusters that are recorded have the same keys, so that their cases share them. */
export async function fixedBundle(contract: string, make: () => Promise<SecretsBundle>): Promise<SecretsBundle> {
  const folder = process.env.ICHOR_RECORD_GOLDEN
  if (folder === undefined) return make()
  const file = join(folder, `bundle-${contract}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const bundle = withFixedId(await make())
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify(bundle))
  return bundle
}

export function withFixedId(bundle: SecretsBundle): SecretsBundle {
  return { ...bundle, cluster: { ...bundle.cluster, id: 'Z29sZGVuLWNsdXN0ZXItaWQtb2YtMzItYnl0ZXMhIQ' } }
}
