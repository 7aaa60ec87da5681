import { ownPoolComment } from '../ownership/index.js'
import { defineStep, noArgs, type StepContext } from './step.js'

/** Takes every VM out of the pool that ichor created, so that it can be removed. */
export const emptyPool = defineStep({
  kind: 'empty-pool',
  args: noArgs,
  title: (_args, desired) => `take the VMs out of the Proxmox pool ${desired.cluster.pool}`,
  changes: true,
  disruptive: false,
  done: async (_args, context) => (await membersOf(context)).length === 0,
  async run(_args, context) {
    for (const vmid of await membersOf(context)) {
      context.assertLease()
      await context.proxmox.pools.removeVm(context.desired.cluster.pool, vmid, context.signal)
    }
  },
  effect: () => {},
})

async function membersOf({ proxmox, desired, signal }: StepContext): Promise<readonly number[]> {
  const pool = await proxmox.pools.find(desired.cluster.pool, signal)
  return pool?.comment === ownPoolComment ? pool.vmids : []
}
