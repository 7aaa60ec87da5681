import { UsageError } from '../../errors.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Context } from '../frame/context.js'
import { loadNamed } from '../inventories.js'

/** The inventory of the cluster with that name. */
export async function namedCluster(
  cluster: string,
  inventory: readonly string[],
  context: Context,
): Promise<readonly Inventory[]> {
  const all = await loadNamed(inventory, context)
  const named = all.filter(({ settings }) => settings.cluster_name === cluster)
  if (named.length > 0) return named
  const names = all.map(({ settings }) => settings.cluster_name).join(', ')
  throw new UsageError(`There is no cluster ${cluster} in these inventories: ${names}.`, {
    where: 'cluster',
    fix: 'Name one of them, or its inventory with -i.',
  })
}
