import type { Machine } from '../cluster/machine.js'
import type { Wanted } from './facts.js'

/** The place in the inventory that asks for a machine: its own entry, or the count that it comes from. */
export function pathOf(wanted: Wanted, machine: Machine): string {
  const pool = poolPath(wanted, machine)
  const count = machine.role === 'controlplane' ? 'control_plane_count' : 'worker_count'
  return ownPath(wanted, machine) ?? (pool === undefined ? count : `${pool}.count`)
}

/** The place in the inventory that says how large a machine is. */
export function sizePathOf(wanted: Wanted, machine: Machine): string {
  const pool = poolPath(wanted, machine)
  const sizing = machine.role === 'controlplane' ? 'sizing.control_plane' : 'sizing.worker'
  return ownPath(wanted, machine) ?? (pool === undefined ? sizing : `${pool}.sizing`)
}

function ownPath({ settings }: Wanted, { role, name }: Machine): string | undefined {
  const list = role === 'controlplane' ? 'controlplane' : 'workers'
  const index = settings[list].findIndex((node) => node.name === name)
  return index < 0 ? undefined : `${list}[${index}]`
}

function poolPath({ settings }: Wanted, { pool }: Machine): string | undefined {
  const index = settings.worker_pools.findIndex(({ name }) => name === pool)
  return index < 0 ? undefined : `worker_pools[${index}]`
}
