import type { ProxmoxPort } from '../proxmox/client/port.js'

export type Pools = ProxmoxPort['pools']

/** Of a pool that a run made. Any other is the user's, or carries the rights of a token, and is never removed. */
export const ownPoolComment = 'made by ichor'

/** `dev/lease-7`: the number only grows, so that a loser can tell that it lost. */
export interface LeasePool {
  readonly id: string
  readonly number: number
  readonly comment: string
}

export function leaseId(pool: string, number: number): string {
  return `${pool}/lease-${number}`
}

/** The leases of this cluster among all pools, the newest first. */
export function leasesAmong(pools: readonly { id: string; comment: string }[], pool: string): LeasePool[] {
  const prefix = leaseId(pool, 0).slice(0, -1)
  return pools
    .filter(({ id }) => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)))
    .map(({ id, comment }) => ({ id, comment, number: Number(id.slice(prefix.length)) }))
    .sort((one, other) => other.number - one.number)
}

export async function listLeases(pools: Pools, pool: string, signal: AbortSignal): Promise<LeasePool[]> {
  return leasesAmong(await pools.list(signal), pool)
}
