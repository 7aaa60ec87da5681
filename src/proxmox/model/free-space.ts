import type { StorageResource } from '../client/port.js'

/** What the tools of a storage report as free; missing if it was not queried. */
export type StorageSpace = Pick<StorageResource, 'total' | 'used'> & { readonly free?: number }

/** Their tools report `used` as everything that is not free. Others keep space for themselves. */
const exactTypes = new Set(['lvmthin', 'lvm', 'zfspool', 'rbd'])

/** `/cluster/resources` has only total and used, whose difference contains what a file system keeps for root. */
export function hidesFreeSpace({ type }: Pick<StorageResource, 'type'>): boolean {
  return !exactTypes.has(type)
}

/** Bytes that new data may take. */
export function freeSpace({ total, used, free = total - used }: StorageSpace): number {
  return Math.max(0, free)
}
