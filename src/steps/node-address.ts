import type { World } from '../world.js'
import { findOwned, machineOf } from './owned-vm.js'
import type { StepContext } from './step.js'

/** Where the machine's APIs are: fixed by the inventory, or reported by its guest agent now. `undefined` while nobody knows. */
export async function findAddress(machine: string, world: World, context: StepContext): Promise<string | undefined> {
  return machineOf(context.desired, machine).address ?? findReportedAddress(machine, world, context)
}

/** Where its guest agent says that it is. */
export async function findReportedAddress(
  machine: string,
  world: World,
  context: StepContext,
): Promise<string | undefined> {
  const { machine: wanted } = machineOf(context.desired, machine)
  const owned = await findOwned(machine, world, context)
  if (owned === undefined) return undefined
  const interfaces = await world.proxmox.agent.findAddresses(owned, context.signal)
  const first = interfaces?.find(({ mac }) => mac?.toUpperCase() === wanted.identity.mac)
  return first?.addresses.find(isUsable)
}

function isUsable(address: string): boolean {
  return !address.startsWith('fe80:') && !address.startsWith('169.254.') && !address.startsWith('127.')
}
