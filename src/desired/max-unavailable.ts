import type { Inventory } from '../inventory/inventory.js'

/** How many machines of each worker pool may be away at once: shares are rounded down, and one always may. */
export function maxUnavailable({
  machines,
  settings,
}: Pick<Inventory, 'machines' | 'settings'>): Record<string, number> {
  return Object.fromEntries(
    settings.worker_pools.map(({ name, max_unavailable: share }) => {
      const size = machines.filter(({ pool }) => pool === name).length
      const count = typeof share === 'number' ? share : Math.floor((size * Number.parseInt(share, 10)) / 100)
      return [name, Math.max(1, count)]
    }),
  )
}
