import { isProxmoxError } from '../proxmox/model/proxmox-error.js'
import { findOwned } from '../vm/owned-vm.js'
import { findSeen, findWanted } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'

/**
 * The address of the machine's APIs: set in the inventory, or reported by its guest agent now. `undefined` while
 * unknown.
 */
export async function findAddress(machine: string, context: WorkContext): Promise<string | undefined> {
  return findWanted(context.desired, machine)?.address ?? findReportedAddress(machine, context)
}

/** Like `findAddress`, for a step that cannot continue without it. */
export async function getAddress(machine: string, context: WorkContext): Promise<string> {
  const address = await findAddress(machine, context)
  if (address === undefined) throw new Error(`no address of ${machine} is known`)
  return address
}

/** The address that its guest agent reports; for a machine that is no longer wanted, also the last observed one. */
export async function findReportedAddress(machine: string, context: WorkContext): Promise<string | undefined> {
  const owned = await findOwned(machine, context)
  if (owned === undefined) return undefined
  const isWanted = findWanted(context.desired, machine) !== undefined
  const asked = context.proxmox.agent.findAddresses(owned, context.signal)
  const interfaces = isWanted ? await asked : await asked.catch(unknownIfForbidden)
  const first = interfaces?.find(({ mac }) => mac?.toUpperCase() === owned.mark.mac)
  return first?.addresses.find(isUsable) ?? (isWanted ? undefined : findSeen(context.observed, machine)?.address)
}

/** A machine that leaves does not stay because the token may not ask its guest agent. */
function unknownIfForbidden(thrown: unknown): undefined {
  if (!isProxmoxError(thrown, 'forbidden')) throw thrown
}

function isUsable(address: string): boolean {
  return !address.startsWith('fe80:') && !address.startsWith('169.254.') && !address.startsWith('127.')
}
