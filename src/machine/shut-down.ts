import type { HaResource } from '../proxmox/client/port.js'
import type { World } from '../world.js'
import { handOverLeadership } from './etcd-leader.js'
import { guardIdentity } from './guard-identity.js'
import { withdrawFromHa } from './high-availability.js'
import { findAddress } from './node-address.js'
import { getOwned } from './owned-vm.js'
import { hasStatus, switchPower } from './switch-power.js'
import { waitUntil } from './wait-until.js'
import type { WorkContext } from './work-context.js'

const minute = 60_000

/**
 * Shuts the machine down through its API if it responds: etcd and the VIP fail over at once, while a power cut would
 * take them a minute to notice. A machine that does not respond or does not shut down in time is stopped. Returns what
 * to restore in Proxmox HA once the machine runs.
 */
export async function shutDown(machine: string, world: World, context: WorkContext): Promise<HaResource | undefined> {
  if (await hasStatus(machine, 'stopped', world, context)) return undefined
  const withdrawn = await withdrawFromHa(await getOwned(machine, world, context), world, context)
  const isDown = await askToGoDown(machine, world, context)
  if (isDown || (await hasStatus(machine, 'stopped', world, context))) return withdrawn
  const owned = await getOwned(machine, world, context)
  context.assertLease()
  await switchPower(owned, 'stopped', world, context)
  return withdrawn
}

async function askToGoDown(machine: string, world: World, context: WorkContext): Promise<boolean> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return false
  const node = world.talos.node({ machine, address })
  try {
    await node.version(context.signal)
  } catch {
    context.signal.throwIfAborted()
    return false
  }
  await guardIdentity(machine, address, world, context)
  try {
    await handOverLeadership(machine, world, context)
    context.assertLease()
    await node.shutdown({ force: true }, context.signal)
    return await awaitStopped(machine, world, context)
  } catch (thrown) {
    context.signal.throwIfAborted()
    context.note(`it does not shut down (${thrown instanceof Error ? thrown.message : thrown}): it is stopped`)
    return false
  }
}

function awaitStopped(machine: string, world: World, context: WorkContext): Promise<true> {
  return waitUntil(
    {
      forWhat: `${machine} to shut down`,
      where: `machine ${machine}`,
      timeoutMs: 3 * minute,
      intervalMs: 1000,
      fix: 'Look at its console in Proxmox.',
      machine,
    },
    async () => ((await hasStatus(machine, 'stopped', world, context)) ? true : undefined),
    world,
    context,
  )
}
