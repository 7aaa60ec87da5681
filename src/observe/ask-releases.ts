import { type Seen, seen, unseen } from '../cluster/seen.js'
import { parseVersion } from '../cluster/version.js'
import { reasonOf } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'
import type { ObservedMachine } from './observed.js'

const patienceMs = 10_000

/** The Talos releases, if the wanted one is more than one minor version away; `undefined` if they are not needed. */
export async function askReleases(
  { settings }: Inventory,
  machines: readonly ObservedMachine[],
  { factory }: World,
  signal: AbortSignal,
): Promise<Seen<readonly string[]> | undefined> {
  const wanted = parseVersion(settings.talos_version)
  if (wanted === undefined) return undefined
  const isFar = machines.some(({ talos }) => {
    const runs = talos.reach === 'secured' ? parseVersion(talos.version) : undefined
    return runs !== undefined && runs.minor + 1 < wanted.minor
  })
  return isFar ? listReleases(factory, signal) : undefined
}

/** Every Talos release that the Image Factory builds, pre-releases included. */
export function listReleases(factory: World['factory'], signal: AbortSignal): Promise<Seen<readonly string[]>> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
  return factory.versions(patience).then(seen, (thrown) => {
    signal.throwIfAborted()
    return unseen(reasonOf(thrown))
  })
}
