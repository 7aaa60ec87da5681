import type { Pools } from './lease-pools.js'

/** While this pool exists inside the pool of a cluster, no watch acts on it. Anyone who may create pools there can set it. */
function switchOf(pool: string): string {
  return `${pool}/suspended`
}

/** Why it was suspended; `undefined` while it is not. */
export function suspendedIn(pools: readonly { id: string; comment: string }[], pool: string): string | undefined {
  return pools.find(({ id }) => id === switchOf(pool))?.comment
}

/** Whether it was not suspended before. */
export async function suspend(pools: Pools, pool: string, why: string, signal: AbortSignal): Promise<boolean> {
  return pools.create(switchOf(pool), why, signal)
}

/** Whether it was suspended. */
export async function resume(pools: Pools, pool: string, signal: AbortSignal): Promise<boolean> {
  const wasSuspended = suspendedIn(await pools.list(signal), pool) !== undefined
  await pools.remove(switchOf(pool), signal)
  return wasSuspended
}
