import { createHash } from 'node:crypto'
import type { AddonContext } from './addon.js'
import type { PlannedAddon } from './planned-addon.js'

/** Shows whether the installed addon matches the wanted one: the same request has the same hash on any computer. */
function addonSpecHash({ namespace, version, source, before, after }: Omit<PlannedAddon, 'hash'>): string {
  return createHash('sha256')
    .update(canonical({ namespace, version, source, before, after }))
    .digest('hex')
    .slice(0, 32)
}

/** With a chart mirror, every chart comes from there. */
export function hashed(spec: Omit<PlannedAddon, 'hash'>, { registry }: AddonContext): PlannedAddon {
  const mirror = registry?.charts
  const source =
    spec.source.kind === 'chart' && mirror !== undefined ? { ...spec.source, repository: mirror } : spec.source
  return { ...spec, source, hash: addonSpecHash({ ...spec, source }) }
}

/** JSON with its keys in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`)
    .join(',')}}`
}
