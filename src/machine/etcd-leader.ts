import type { World } from '../world.js'
import { findAddress } from './node-address.js'
import { waitUntil } from './wait-until.js'
import type { WorkContext } from './work-context.js'

/**
 * Moves the etcd leadership to another member before this one is paused: an election would block writes for seconds.
 */
export async function handOverLeadership(machine: string, world: World, context: WorkContext): Promise<void> {
  const address = await findAddress(machine, world, context)
  if (address === undefined) return
  const { etcd } = world.talos.node({ machine, address })
  const { member, leader } = await etcd.status(context.signal)
  if (member !== leader || (await etcd.members({ local: false }, context.signal)).length === 1) return
  context.note('transferring etcd leadership to another member')
  context.assertLease()
  await etcd.forfeitLeadership(context.signal)
  await waitUntil(
    {
      forWhat: `another member than ${machine} to lead etcd`,
      where: `machine ${machine}`,
      timeoutMs: 60_000,
      intervalMs: 500,
      fix: 'ichor status shows which control planes are healthy.',
      machine,
    },
    async () => {
      const now = await etcd.status(context.signal)
      return now.leader === member || /^0*$/.test(now.leader) ? undefined : true
    },
    world,
    context,
  )
}
