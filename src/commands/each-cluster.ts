import type { Inventory } from '../inventory/inventory.js'
import type { Session } from '../operations/session.js'
import type { Context } from './frame/context.js'
import { type OpenOptions, withWorld } from './open-world.js'

/** Runs the work for one inventory after another. Each returns an exit code; the highest one is the command's. */
export async function forEachInventory(
  inventories: readonly Inventory[],
  work: (inventory: Inventory) => Promise<number>,
): Promise<number> {
  let highest = 0
  for (const inventory of inventories) highest = Math.max(highest, await work(inventory))
  return highest
}

/** Like `forEachInventory`, with the world of each. */
export function forEachCluster(
  inventories: readonly Inventory[],
  options: OpenOptions,
  context: Context,
  work: (opened: Session) => Promise<number>,
): Promise<number> {
  return forEachInventory(inventories, (inventory) => withWorld(inventory, options, context, work))
}
