import type { Inventory } from '../../inventory/inventory.js'
import type { Cures } from '../../plan/plan-cures.js'
import type { World } from '../../world.js'
import type { SpecOptions } from '../spec/load-spec.js'
import { replacedSpec } from './replaced-spec.js'
import type { WantedChange } from './wanted-change.js'

interface Asked extends SpecOptions {
  readonly world: World
  readonly signal: AbortSignal
  readonly run: string
}

/**
 * The spec in which corrupt members get new VMs. A VM without its mark is taken over like one that something else made:
 * only after its node has shown the UUID over a connection that the CA of the cluster vouches for.
 */
export function curedSpec(
  { replace, remark }: Pick<Cures, 'replace' | 'remark'>,
  inventory: Inventory,
  asked: Asked,
): Promise<Pick<WantedChange, 'spec' | 'write'>> {
  const machines = inventory.machines.map((machine) =>
    remark.includes(machine.name) ? { ...machine, adopted: machine.adopted ?? { keep: [] } } : machine,
  )
  return replacedSpec(replace, { ...inventory, machines }, asked)
}
