import { groupBy } from '../cluster/lookup.js'
import type { Inventory } from '../inventory/inventory.js'

/** How many machines of each worker pool may be away at once: shares are rounded down, and one always may. */
export function maxUnavailable({
  machines,
  settings,
}: Pick<Inventory, 'machines' | 'settings'>): Record<string, number> {
  const pools = groupBy(machines, ({ pool }) => pool)
  return Object.fromEntries(
    settings.worker_pools.map(({ name, max_unavailable: share }) => {
      const size = pools.get(name)?.length ?? 0
      const count = typeof share === 'number' ? share : Math.floor((size * Number.parseInt(share, 10)) / 100)
      return [name, Math.max(1, count)]
    }),
  )
}
