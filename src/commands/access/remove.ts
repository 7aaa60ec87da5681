import { type Identity, planAccess, removeFormerControllers, removeRunAccess } from '../../access/index.js'
import { tokenInUse } from '../../findings/refusals/runs.js'
import { adoptedVms } from '../../operations/adopt/adopted-vms.js'
import { removeAdministration } from '../../operations/goals.js'
import type { Session } from '../../operations/session.js'
import { findLiveHolder } from '../../ownership/index.js'
import { askYes, declinedCode } from '../ask.js'
import type { Context } from '../frame/context.js'
import { administered } from './administered.js'
import { titleOf } from './move-adopted.js'

interface RemoveOptions {
  readonly yes: boolean
  readonly json: boolean
}

/** `ichor access --remove`: what is left in Proxmox after `destroy`. */
export async function removeAccess(session: Session, { yes, json }: RemoveOptions, context: Context): Promise<number> {
  const { world, inventory } = session
  const { signal, stdout, stderr } = context
  await refuseWhileRunning(session, signal)
  const objects = await administered(removeAdministration, session, context)
  const { run } = await planAccess(world.proxmox, inventory, [], signal)
  const pooled = await movedByAdopt(session, run, signal)
  const released = pooled.map((vm) => `take ${titleOf(vm)} out of the pool ${vm.pool}`)
  const lines = [...objects.changes, ...released, `remove user ${run.user} with its token, permissions and roles`]
  stderr.write(`${[...lines, ...run.pools.map((pool) => `remove pool ${pool}, if it is empty`)].join('\n')}\n`)
  if (!yes && !(await askYes('Remove this?', context))) {
    stdout.write('Nothing was changed.\n')
    return declinedCode
  }
  const removed = await objects.carryOut()
  for (const vm of pooled) {
    await world.proxmox.pools.removeVm(vm.pool, vm.vmid, signal)
    removed.push(`took ${titleOf(vm)} out of the pool ${vm.pool}`)
  }
  const controllers = await removeFormerControllers(world.proxmox, inventory, [], signal)
  const notes = [...removed, ...controllers, ...(await removeRunAccess(world.proxmox, run, signal))]
  const text = notes.length === 0 ? 'There was nothing to remove.' : notes.join('\n')
  stdout.write(`${json ? JSON.stringify({ version: 1, notes }) : text}\n`)
  return 0
}

/** VMs of others that `ichor access --adopt` has put into the pool that it made, and that carry no mark. */
async function movedByAdopt(session: Session, { comment }: Identity, signal: AbortSignal) {
  const { world, inventory } = session
  if (!inventory.machines.some(({ adopted }) => adopted !== undefined)) return []
  const { pool } = inventory.settings.proxmox
  if ((await world.proxmox.pools.find(pool, signal))?.comment !== comment) return []
  const vms = await adoptedVms(session, signal)
  return vms.flatMap((vm) => (vm.pool === pool && !vm.isMarked ? [{ ...vm, pool }] : []))
}

async function refuseWhileRunning({ world, inventory }: Session, signal: AbortSignal): Promise<void> {
  const { pool } = inventory.settings.proxmox
  const holder = await findLiveHolder(await world.proxmox.pools.list(signal), pool)
  if (holder === undefined) return
  throw tokenInUse.refuse(`A run on ${holder.host} is using the token.`, {
    subject: { kind: 'object', name: `pool ${pool}` },
    where: `pool ${pool}`,
    fix: 'Wait until it is over, then run ichor access --remove again.',
  })
}
