import { oncePer } from '../cluster/lookup.js'
import type { Machine } from '../cluster/machine.js'
import type { Wanted } from './facts.js'

/** The place in the inventory that requests a machine: its entry, or the count that it comes from. */
export function pathOf(wanted: Wanted, machine: Machine): string {
  const pool = poolPath(wanted, machine)
  const count = machine.role === 'controlplane' ? 'control_plane_count' : 'worker_count'
  return ownPath(wanted, machine) ?? (pool === undefined ? count : `${pool}.count`)
}

/** The place in the inventory that sets the size of a machine. */
export function sizePathOf(wanted: Wanted, machine: Machine): string {
  const pool = poolPath(wanted, machine)
  const sizing = machine.role === 'controlplane' ? 'sizing.control_plane' : 'sizing.worker'
  return ownPath(wanted, machine) ?? (pool === undefined ? sizing : `${pool}.sizing`)
}

/** The index of the first entry with a name. */
const placesByName = oncePer((list: readonly { readonly name?: string | undefined }[]) => {
  const places = new Map<string | undefined, number>()
  for (const [index, { name }] of list.entries()) if (!places.has(name)) places.set(name, index)
  return places
})

function ownPath({ settings }: Wanted, { role, name }: Machine): string | undefined {
  const list = role === 'controlplane' ? 'controlplane' : 'workers'
  const index = placesByName(settings[list]).get(name)
  return index === undefined ? undefined : `${list}[${index}]`
}

function poolPath({ settings }: Wanted, { pool }: Machine): string | undefined {
  const index = placesByName(settings.worker_pools).get(pool)
  return index === undefined ? undefined : `worker_pools[${index}]`
}
