import { addressOf } from '../cluster/address.js'
import type { Machine, Role } from '../cluster/machine.js'
import { UsageError } from '../errors.js'
import type { Inventory } from '../inventory/inventory.js'
import type { World } from '../world.js'

/** A machine of the inventory, and the address of its APIs. */
export interface NodeTarget {
  readonly name: string
  readonly role: Role
  readonly address: string
}

/** Every machine with a known address. Proxmox is queried only if the inventory does not specify it. */
export async function findNodeTargets(inventory: Inventory, world: World, signal: AbortSignal): Promise<NodeTarget[]> {
  const { machines } = inventory
  const seen = hasStaticAddresses(inventory) ? new Map<string, string>() : await askAddresses(inventory, world, signal)
  return machines.flatMap((machine) => {
    const address = findStatic(machine) ?? seen.get(machine.name)
    return address === undefined ? [] : [{ name: machine.name, role: machine.role, address }]
  })
}

/** All addresses are in the inventory. */
export function hasStaticAddresses({ machines }: Inventory): boolean {
  return machines.every((machine) => findStatic(machine) !== undefined)
}

/** The machine that the user named; refuses with the list of names. */
export async function getNodeTarget(
  name: string,
  inventory: Inventory,
  world: World,
  signal: AbortSignal,
): Promise<NodeTarget> {
  const { machines } = inventory
  if (!machines.some((machine) => machine.name === name)) {
    throw new UsageError(`There is no machine ${name} in the inventory.`, {
      where: inventory.file,
      fix: `Name one of ${machines.map((machine) => machine.name).join(', ')}.`,
    })
  }
  const found = (await findNodeTargets(inventory, world, signal)).find((target) => target.name === name)
  if (found !== undefined) return found
  throw new UsageError(`The address of ${name} is not known yet.`, {
    where: `machine ${name}`,
    fix: 'Wait until it has booted and its guest agent answers; ichor status shows it.',
  })
}

function findStatic({ nics: [first] }: Machine): string | undefined {
  const [cidr] = first.addresses
  return cidr === undefined ? undefined : addressOf(cidr)
}

async function askAddresses(inventory: Inventory, world: World, signal: AbortSignal): Promise<Map<string, string>> {
  const { observe } = await import('../observe/observe.js')
  const { machines } = await observe(inventory, world, signal)
  return new Map(machines.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address]])))
}
