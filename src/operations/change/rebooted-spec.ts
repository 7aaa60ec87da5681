import type { ClusterSpec } from '../../desired/cluster-spec.js'
import type { Inventory } from '../../inventory/inventory.js'
import { loadSpec, type SpecOptions } from '../spec/load-spec.js'
import { machinesNamed } from './machines-named.js'

/** The spec in which these machines are rebooted. The first steps record the intent in their marks. */
export async function rebootedSpec(
  names: readonly string[],
  inventory: Inventory,
  { run, ...options }: SpecOptions & { readonly run: string },
): Promise<{ spec: Omit<ClusterSpec, 'secrets'>; write(): Promise<void> }> {
  const machines = new Set(names.flatMap((name) => machinesNamed(name, inventory)))
  const rebooting = Object.fromEntries([...machines].map((machine) => [machine, run]))
  return { spec: await loadSpec(inventory, { ...options, intent: { rebooting } }), write: async () => {} }
}
