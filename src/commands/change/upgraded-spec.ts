import { rollbackTarget, upgrade, type WantedVersions } from '../../change/upgrade.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { observe } from '../../observe/observe.js'
import { loadSpec, type SpecOptions } from '../../spec/load-spec.js'
import type { World } from '../../world.js'
import { asOpened } from './as-opened.js'

export interface UpgradeRequest extends WantedVersions {
  /** Back to what is in the other boot slot. */
  readonly rollback?: boolean
}

/** The spec with other versions, and what writes them into the inventory. */
export async function upgradedSpec(
  { rollback = false, ...wanted }: UpgradeRequest,
  inventory: Inventory,
  { world, signal, ...options }: SpecOptions & { readonly world: World; readonly signal: AbortSignal },
): Promise<{ spec: Omit<ClusterSpec, 'secrets'>; write(): Promise<void> }> {
  const talos = rollback
    ? rollbackTarget(runningTalos(await observe(inventory, world, signal)), wanted.talos)
    : wanted.talos
  const proposed = await proposeChanges(inventory, upgrade(inventory, { ...wanted, talos }), options)
  const spec = await loadSpec(asOpened(proposed.inventory, inventory), { ...options, world })
  return { spec: { ...spec, rollback }, write: () => writeEdits(proposed.edits) }
}

function runningTalos({ machines }: Awaited<ReturnType<typeof observe>>): string[] {
  return machines.flatMap(({ talos }) => (talos.reach === 'secured' ? [talos.version] : []))
}
