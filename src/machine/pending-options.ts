import type { World } from '../world.js'
import { getOwned } from './owned-vm.js'
import type { WorkContext } from './work-context.js'

/** Whether any of these options of a VM is pending until a cold start. */
export async function hasPending(
  machine: string,
  keys: readonly string[],
  world: World,
  context: WorkContext,
): Promise<boolean> {
  const owned = await getOwned(machine, world, context)
  const changes = await world.proxmox.machines.pending(owned, context.signal)
  return changes.some(({ key, pending, isDeleted }) => keys.includes(key) && (pending !== undefined || isDeleted))
}
