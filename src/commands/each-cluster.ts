import type { Inventory } from '../inventory/inventory.js'
import type { Context } from './frame/context.js'
import { type Opened, type OpenOptions, withWorld } from './open-world.js'

/** Does the work for one inventory after the other. It gives an exit code for each; the highest is that of the command. */
export async function forEachInventory(
  inventories: readonly Inventory[],
  work: (inventory: Inventory) => Promise<number>,
): Promise<number> {
  let highest = 0
  for (const inventory of inventories) highest = Math.max(highest, await work(inventory))
  return highest
}

/** As `forEachInventory`, with the world that each lives in. */
export function forEachCluster(
  inventories: readonly Inventory[],
  options: OpenOptions,
  context: Context,
  work: (opened: Opened) => Promise<number>,
): Promise<number> {
  return forEachInventory(inventories, (inventory) => withWorld(inventory, options, context, work))
}
