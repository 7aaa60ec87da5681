import { getAddress } from '../node/node-address.js'
import { waitUntil } from '../work/wait-until.js'
import type { WorkContext } from '../work/work-context.js'
import { askEtcdNow } from './etcd-now.js'

/**
 * Moves the etcd leadership to another member before this one is interrupted: an election would block writes for
 * seconds.
 */
export async function handOverLeadership(machine: string, context: WorkContext): Promise<void> {
  const { healthy } = await askEtcdNow(context)
  const own = [...healthy].find(([, owner]) => owner === machine)?.[0]
  if (own === undefined || healthy.size < 2) return
  const { etcd } = context.talos.node({ machine, address: await getAddress(machine, context) })
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
      return leader === own || isNone(leader) ? undefined : true
    },
    context,
  )
}

/** During an election. */
function isNone(leader: string): boolean {
  return /^0*$/.test(leader)
}
