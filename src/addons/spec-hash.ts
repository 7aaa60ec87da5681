import { createHash } from 'node:crypto'
import { canonicalJson } from '../cluster/canonical.js'
import type { AddonContext } from './addon.js'
import type { PlannedAddon } from './planned-addon.js'

/** Shows whether the installed addon matches the wanted one: the same request has the same hash on any computer. */
function addonSpecHash({ namespace, version, source, before, after }: Omit<PlannedAddon, 'hash'>): string {
  return createHash('sha256')
    .update(canonicalJson({ namespace, version, source, before, after }))
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
