import { withEnvironment } from '../../inventory/environment.js'
import { examine } from '../../inventory/examine.js'
import { type Inventory, InventoryError } from '../../inventory/index.js'
import type { Context } from '../frame/context.js'

/** An inventory that is not written yet: its problems are reported before it is written. */
export async function draftInventory(
  folder: string,
  text: string,
  { env }: Pick<Context, 'env'> = { env: {} },
): Promise<Inventory> {
  const { inventory, problems } = await examine({ folder, cluster: { file: 'cluster.yaml', text } })
  if (inventory === undefined) throw new InventoryError(problems)
  return withEnvironment(inventory, env)
}
