import { groupBy } from '../cluster/lookup.js'
import type { Inventory } from '../inventory/inventory.js'

type Pools = Pick<Inventory, 'machines' | 'settings'>

/**
 * How many machines of each worker pool may be unavailable at once: percentages are rounded down, and one always may.
 */
export function maxUnavailable({ machines, settings }: Pools): Record<string, number> {
  const pools = groupBy(machines, ({ pool }) => pool)
  return Object.fromEntries(
    settings.worker_pools.map(({ name, max_unavailable: share }) => [
      name,
      Math.max(1, Math.floor(shareOf(share, pools.get(name)?.length ?? 0))),
    ]),
  )
}

/** How many machines each worker pool may have beyond its size: percentages are rounded up. */
export function surgeOfPools({ machines, settings }: Pools): Record<string, number> {
  const pools = groupBy(machines, ({ pool }) => pool)
  return Object.fromEntries(
    settings.worker_pools.map(({ name, surge }) => [name, Math.ceil(shareOf(surge, pools.get(name)?.length ?? 0))]),
  )
}

function shareOf(share: number | string, size: number): number {
  return typeof share === 'number' ? share : (size * Number.parseInt(share, 10)) / 100
}
