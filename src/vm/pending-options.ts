import type { WorkContext } from '../work/work-context.js'
import { getOwned } from './owned-vm.js'

/** Whether any of these options of a VM is pending until a cold start. */
export async function hasPending(machine: string, keys: readonly string[], context: WorkContext): Promise<boolean> {
  const owned = await getOwned(machine, context)
  const changes = await context.proxmox.machines.pending(owned, context.signal)
  return changes.some(({ key, pending, isDeleted }) => keys.includes(key) && (pending !== undefined || isDeleted))
}
