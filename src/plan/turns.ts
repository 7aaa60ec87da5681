import type { Machine } from '../cluster/machine.js'
import type { Turn } from './plan.js'

/** Disruptive work enters one machine of a pool at a time. */
export function turnOf({ name, role, pool }: Pick<Machine, 'name' | 'role' | 'pool'>): Turn {
  return { name: role === 'controlplane' ? 'controlplane' : `pool:${pool}`, limit: 1, chain: name }
}
