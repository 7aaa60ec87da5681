import { handOverLeadership } from '../etcd/etcd-leader.js'
import { guardIdentity } from '../node/guard-identity.js'
import { findAddress } from '../node/node-address.js'
import type { HaResource } from '../proxmox/client/port.js'
import { withdrawFromHa } from '../vm/high-availability.js'
import { getOwned } from '../vm/owned-vm.js'
import { hasStatus, switchPower } from '../vm/switch-power.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'

const minute = 60_000

/**
 * Shuts the machine down through its API if it responds: etcd and the VIP fail over at once, while a power cut would
 * take them a minute to notice. A machine that does not respond or does not shut down in time is stopped. Returns what
 * to restore in Proxmox HA once the machine runs.
 */
export async function shutDown(machine: string, context: WorkContext): Promise<HaResource | undefined> {
  if (await hasStatus(machine, 'stopped', context)) return undefined
  const withdrawn = await withdrawFromHa(await getOwned(machine, context), context)
  await goDown(machine, () => handOverLeadership(machine, context), context)
  return withdrawn
}

/** With all others: no member of etcd takes over, and Proxmox HA does not start it again. */
export async function shutDownForGood(machine: string, context: WorkContext): Promise<void> {
  await withdrawFromHa(await getOwned(machine, context), context)
  if (!(await hasStatus(machine, 'stopped', context))) await goDown(machine, async () => {}, context)
}

async function goDown(machine: string, before: () => Promise<void>, context: WorkContext): Promise<void> {
  const isDown = await askToGoDown(machine, before, context)
  if (isDown || (await hasStatus(machine, 'stopped', context))) return
  const owned = await getOwned(machine, context)
  context.assertLease()
  await switchPower(owned, 'stopped', context)
}

async function askToGoDown(machine: string, before: () => Promise<void>, context: WorkContext): Promise<boolean> {
  const address = await findAddress(machine, context)
  if (address === undefined) return false
  const node = context.talos.node({ machine, address })
  try {
    await node.version(context.signal)
  } catch {
    context.signal.throwIfAborted()
    return false
  }
  await guardIdentity(machine, address, context)
  try {
    await before()
    context.assertLease()
    await node.shutdown({ force: true }, context.signal)
    return await awaitStopped(machine, context)
  } catch (thrown) {
    context.signal.throwIfAborted()
    context.note(`it does not shut down (${thrown instanceof Error ? thrown.message : thrown}): it is stopped`)
    return false
  }
}

function awaitStopped(machine: string, context: WorkContext): Promise<true> {
  return waitUntil(
    {
      forWhat: `${machine} to shut down`,
      where: `machine ${machine}`,
      timeoutMs: 3 * minute,
      intervalMs: 1000,
      fix: 'Look at its console in Proxmox.',
      machine,
    },
    async () => ((await hasStatus(machine, 'stopped', context)) ? true : undefined),
    context,
  )
}
