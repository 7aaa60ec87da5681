import type { World } from '../world.js'
import { askEtcdNow } from './etcd-now.js'
import { getAddress } from './node-address.js'
import { waitUntil } from './wait-until.js'
import type { WorkContext } from './work-context.js'

/**
 * Moves the etcd leadership to another member before this one is interrupted: an election would block writes for
 * seconds.
 */
export async function handOverLeadership(machine: string, world: World, context: WorkContext): Promise<void> {
  const { healthy } = await askEtcdNow(world, context)
  const own = [...healthy].find(([, owner]) => owner === machine)?.[0]
  if (own === undefined || healthy.size < 2) return
  const { etcd } = world.talos.node({ machine, address: await getAddress(machine, world, context) })
  const findLeader = async () => (await etcd.status(context.signal)).leader
  if ((await findLeader()) !== own) return
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
      const leader = await findLeader()
      return leader === own || isNobody(leader) ? undefined : true
    },
    world,
    context,
  )
}

/** During an election. */
function isNobody(leader: string): boolean {
  return /^0*$/.test(leader)
}
