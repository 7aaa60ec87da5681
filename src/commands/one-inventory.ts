import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Context } from './frame/context.js'
import { loadNamed } from './inventories.js'

/** For commands on a single node or cluster. */
export async function loadOne(named: readonly string[], context: Context): Promise<Inventory> {
  const [first, second] = await loadNamed(named, context)
  if (first !== undefined && second === undefined) return first
  throw new UsageError('This command works on one inventory at a time.', {
    where: '-i',
    fix: 'Name one inventory with -i.',
  })
}
