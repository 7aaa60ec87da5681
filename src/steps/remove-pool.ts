import { poolInUse } from '../findings/refusals/proxmox.js'
import { ownPoolComment } from '../ownership/index.js'
import { defineStep, noArgs, type StepContext } from './step.js'

/** The last objects of the cluster on Proxmox: the lease that protects this run, and the pool that ichor created. */
export const removePool = defineStep({
  kind: 'remove-pool',
  args: noArgs,
  title: (_args, desired) => `remove the Proxmox pool ${desired.cluster.pool}`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => !(await isLeft(context)),
  async run(_args, context) {
    context.assertLease()
    await context.endLease()
    if (!(await isLeft(context))) return
    const { pool } = context.desired.cluster
    throw poolInUse.refuse(`The pool ${pool} could not be removed: it is not empty.`, {
      subject: { kind: 'object', name: `pool ${pool}` },
      where: `Proxmox pool ${pool}`,
      fix: 'Remove the other guests and storages from it in Proxmox, then run ichor destroy again.',
    })
  },
  effect: (_args, model) => model.change(({ proxmox }) => ({ proxmox: { ...proxmox, poolExists: false } })),
})

/** A pool that ichor did not create stays: permissions may be attached to it. */
async function isLeft({ proxmox, desired, signal }: StepContext): Promise<boolean> {
  const pool = await proxmox.pools.find(desired.cluster.pool, signal)
  return pool?.comment === ownPoolComment
}
