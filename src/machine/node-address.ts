import type { World } from '../world.js'
import { findOwned } from './owned-vm.js'
import { findSeen, findWanted } from './wanted-machine.js'
import type { WorkContext } from './work-context.js'

/**
 * The address of the machine's APIs: set in the inventory, or reported by its guest agent now. `undefined` while
 * unknown.
 */
export async function findAddress(machine: string, world: World, context: WorkContext): Promise<string | undefined> {
  return findWanted(context.desired, machine)?.address ?? findReportedAddress(machine, world, context)
}

/** Like `findAddress`, for a step that cannot continue without it. */
export async function getAddress(machine: string, world: World, context: WorkContext): Promise<string> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) throw new Error(`no address of ${machine} is known`)
  return address
}

/** The address that its guest agent reports; for a machine that is no longer wanted, also the last observed one. */
export async function findReportedAddress(
  machine: string,
  world: World,
  context: WorkContext,
): Promise<string | undefined> {
  const owned = await findOwned(machine, world, context)
  if (owned === undefined) return undefined
  const interfaces = await world.proxmox.agent.findAddresses(owned, context.signal)
  const first = interfaces?.find(({ mac }) => mac?.toUpperCase() === owned.mark.mac)
  const isWanted = findWanted(context.desired, machine) !== undefined
  return first?.addresses.find(isUsable) ?? (isWanted ? undefined : findSeen(context.observed, machine)?.address)
}

function isUsable(address: string): boolean {
  return !address.startsWith('fe80:') && !address.startsWith('169.254.') && !address.startsWith('127.')
}
