import type { Machine } from '../cluster/machine.js'
import type { Wanted } from './facts.js'

/** The place in the inventory that asks for a machine: its own entry, or the count that it comes from. */
export function pathOf({ settings }: Wanted, machine: Machine): string {
  const list = machine.role === 'controlplane' ? 'controlplane' : 'workers'
  const index = settings[list].findIndex(({ name }) => name === machine.name)
  if (index >= 0) return `${list}[${index}]`
  const pool = settings.worker_pools.findIndex(({ name }) => name === machine.pool)
  if (pool >= 0) return `worker_pools[${pool}].count`
  return machine.role === 'controlplane' ? 'control_plane_count' : 'worker_count'
}
