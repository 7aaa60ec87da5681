import type { Wish } from '../desired/wish.js'
import type { Inventory } from '../inventory/inventory.js'

/** The wish behind an inventory, its patches read from their files. */
export async function wishOf(
  inventory: Inventory,
  { until = 'healthy' }: { until?: Wish['until'] },
): Promise<Omit<Wish, 'secrets'>> {
  const { loadPatches } = await import('../inventory/patches.js')
  return { inventory, until, patches: await loadPatches(inventory) }
}
