import type { World } from '../world.js'
import { askEtcdNow } from './etcd-now.js'
import { getAddress } from './node-address.js'
import type { WorkContext } from './work-context.js'

/** Moves the leadership before a leader is interrupted, so that no election is needed. */
export async function handOverLeadership(machine: string, world: World, context: WorkContext): Promise<void> {
  const { healthy } = await askEtcdNow(world, context)
  const own = [...healthy].find(([, owner]) => owner === machine)?.[0]
  if (own === undefined || healthy.size < 2) return
  const address = await getAddress(machine, world, context)
  const { etcd } = world.talos.node({ machine, address })
  const { leader } = await etcd.status(context.signal)
  if (leader !== own) return
  context.assertLease()
  await etcd.forfeitLeadership(context.signal)
  context.note('handed the leadership of etcd over')
}
