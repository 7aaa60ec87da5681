import type { ProxmoxPort } from '../proxmox/client/port.js'

/** What a lease needs of them. */
export type Pools = Omit<ProxmoxPort['pools'], 'addVm' | 'moveVm' | 'removeVm'>

/** The comment of a pool that a run created. Any other pool belongs to the user or to a token, and is never removed. */
export const ownPoolComment = 'made by ichor'

/** `dev/lease-7`: the number only increases, so that the previous holder notices that it lost the lease. */
export interface LeasePool {
  readonly id: string
  readonly number: number
  readonly comment: string
}

export function leaseId(pool: string, number: number): string {
  return `${pool}/lease-${number}`
}

/** The leases of this cluster among all pools, newest first. */
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
