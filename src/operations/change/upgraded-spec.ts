import { ifSeen } from '../../cluster/seen.js'
import type { ClusterSpec } from '../../desired/cluster-spec.js'
import { proposeChanges, writeEdits } from '../../inventory/index.js'
import type { Inventory } from '../../inventory/inventory.js'
import { observe } from '../../observe/observe.js'
import type { Observed } from '../../observe/observed.js'
import type { World } from '../../world.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import { asOpened } from './as-opened.js'
import { joinUpgrade, rollbackTarget, upgrade, type WantedVersions } from './upgrade.js'

export interface UpgradeRequest extends WantedVersions {
  /** Back to the version in the other boot slot. */
  readonly rollback?: boolean
}

/** The spec with other versions, and the function that writes them to the inventory. */
export async function upgradedSpec(
  { rollback = false, ...wanted }: UpgradeRequest,
  inventory: Inventory,
  { world, signal, ...options }: SpecOptions & { readonly world: World; readonly signal: AbortSignal },
): Promise<{ spec: Omit<ClusterSpec, 'secrets'>; write(): Promise<void> }> {
  const versions = rollback ? wayBack(await observe(inventory, world, signal), wanted.talos) : wanted
  const changes = [...upgrade(inventory, versions), ...(rollback ? [] : joinUpgrade(inventory))]
  const proposed = await proposeChanges(inventory, changes, options)
  const spec = await loadSpec(asOpened(proposed.inventory, inventory), { ...options, world })
  return { spec: { ...spec, intent: { ...spec.intent, rollback } }, write: () => writeEdits(proposed.edits) }
}

/** Talos is rolled back and Kubernetes stays: a rollback must not start with a Kubernetes upgrade. */
function wayBack({ machines, kubernetes }: Observed, asked: string | undefined): WantedVersions {
  const running = machines.flatMap(({ talos }) => (talos.reach === 'secured' ? [talos.version] : []))
  return { talos: rollbackTarget(running, asked), kubernetes: ifSeen(kubernetes)?.version }
}
