import { ifSeen } from '../../cluster/seen.js'
import { lostEtcd } from '../../etcd/lost-etcd.js'
import type { Inventory } from '../../inventory/inventory.js'
import type { Observed, ObservedEtcd } from '../../observe/observed.js'

export interface EtcdStatus {
  readonly members: number
  readonly healthy_members: number
  /** Members that are not healthy, by the names of their machines. */
  readonly unhealthy?: readonly string[]
  readonly leader: string | null
  readonly healthy: boolean
  /** It existed, and has no majority now, or no machine has its data any more. */
  readonly lost?: 'majority' | 'data'
}

export function etcdStatus(observed: Observed, inventory: Pick<Inventory, 'machines'>): EtcdStatus {
  const etcd = ifSeen(observed.etcd)
  const lost = lostEtcd(observed, inventory)
  const ifLost = lost === undefined ? {} : { lost }
  if (etcd === undefined) return { members: 0, healthy_members: 0, leader: null, healthy: false, ...ifLost }
  const leader = etcd.members.find(({ id }) => id === etcd.leader)
  const unhealthy = etcd.members.filter(({ id }) => !etcd.healthy.includes(id))
  return {
    members: etcd.members.length,
    healthy_members: etcd.healthy.length,
    unhealthy: unhealthy.map((member) => nameOf(member, etcd)),
    leader: leader === undefined ? null : nameOf(leader, etcd),
    healthy: etcd.members.length > 0 && unhealthy.length === 0,
    ...ifLost,
  }
}

function nameOf({ id, hostname }: ObservedEtcd['members'][number], { owners }: ObservedEtcd): string {
  return owners[id] ?? (hostname === '' ? id : hostname)
}
