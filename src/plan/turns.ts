import type { Machine } from '../cluster/machine.js'
import type { Desired } from '../desired/desired.js'
import type { Turn } from './plan.js'

/** Disruptive work handles as many machines of a pool at a time as may be unavailable; control planes one at a time. */
export function turnOf(
  { name, role, pool }: Pick<Machine, 'name' | 'role' | 'pool'>,
  { cluster: { maxUnavailable } }: Desired,
): Turn {
  if (role === 'controlplane') return { name: 'controlplane', limit: 1, chain: name }
  return { name: `pool:${pool}`, limit: maxUnavailable?.[pool] ?? 1, chain: name }
}
