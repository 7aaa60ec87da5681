import type { Inventory } from '../inventory/inventory.js'
import { localProcesses } from '../ownership/holder.js'
import { readNote } from '../ownership/lease-note.js'
import { listLeases } from '../ownership/lease-pools.js'
import type { World } from '../world.js'
import type { ExaminedLease } from './examined.js'

/** Who holds the lease of the cluster. */
export async function examineLease(
  { settings }: Inventory,
  { proxmox }: World,
  signal: AbortSignal,
): Promise<ExaminedLease | undefined> {
  const [newest] = await listLeases(proxmox.pools, settings.proxmox.pool, signal)
  const note = readNote(newest?.comment ?? '')
  if (note.kind !== 'held') return undefined
  const { user, host, since } = note.holder
  return {
    holder: `${user}@${host}`,
    ...(since === undefined ? {} : { since }),
    isGone: await localProcesses.isGone(note.holder),
  }
}
