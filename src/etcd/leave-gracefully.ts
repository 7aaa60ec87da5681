import { reasonOf } from '../errors.js'
import { getOwned } from '../vm/owned-vm.js'
import { switchPower } from '../vm/switch-power.js'
import type { WorkContext } from '../work/work-context.js'
import { guardLeft, isControlPlane } from './etcd-guards.js'
import { askEtcdNow, findMemberNow } from './etcd-now.js'

/**
 * Whether a reset is graceful: it drains the node and leaves etcd. A control plane that is no member any more has
 * nothing to leave, and Talos would wait three minutes for its member and then fail.
 */
export async function leavesEtcd(machine: string, context: WorkContext): Promise<boolean> {
  if (!isControlPlane(machine, context)) return true
  const now = await askEtcdNow(context)
  return now.respondingMember === undefined || findMemberNow(now, machine, context) !== undefined
}

/**
 * A machine that does not reset is stopped: its VM is deleted next, with its disks. A control plane that is still a
 * member of etcd keeps running, and the failure of its reset is reported.
 */
export async function stopInstead(machine: string, failure: unknown, context: WorkContext): Promise<void> {
  context.signal.throwIfAborted()
  try {
    await guardLeft(machine, context)
    const owned = await getOwned(machine, context)
    context.note(`it does not reset (${reasonOf(failure)}): its VM is stopped instead`)
    context.assertLease()
    await switchPower(owned, 'stopped', context)
  } catch {
    context.signal.throwIfAborted()
    throw failure
  }
}
