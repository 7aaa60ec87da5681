import { ifSeen } from '../../cluster/seen.js'
import { hasMajority } from '../../etcd/etcd-members.js'
import { isSick } from '../../etcd/sick-members.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
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
  if (etcd === undefined) {
    const lost = lostWithoutMembers(observed, inventory)
    return { members: 0, healthy_members: 0, leader: null, healthy: false, ...(lost === undefined ? {} : { lost }) }
  }
  const leader = etcd.members.find(({ id }) => id === etcd.leader)
  const unhealthy = etcd.members.filter(({ id }) => !etcd.healthy.includes(id))
  return {
    members: etcd.members.length,
    healthy_members: etcd.healthy.length,
    unhealthy: unhealthy.map((member) => nameOf(member, etcd)),
    leader: leader === undefined ? null : nameOf(leader, etcd),
    healthy: etcd.members.length > 0 && unhealthy.length === 0,
    ...(hasMajority(etcd) ? {} : { lost: 'majority' as const }),
  }
}

function nameOf({ id, hostname }: ObservedEtcd['members'][number], { owners }: ObservedEtcd): string {
  return owners[id] ?? (hostname === '' ? id : hostname)
}

/** Control planes that do not answer may bring it back. Those without a VM, or whose etcd does not start, do not. */
function lostWithoutMembers(observed: Observed, { machines }: Pick<Inventory, 'machines'>): EtcdStatus['lost'] {
  if (!wasBootstrapped(observed) || observed.proxmox.unreadHosts.length > 0) return undefined
  if (observed.etcd.seen) return 'data'
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane').map(({ name }) => name)
  const isHidden = (name: string) => observed.unverified.some((vm) => vm.holds === name || vm.name === name)
  const lost = controlPlanes.filter((name) => {
    const seen = observed.machines.find((machine) => machine.name === name)
    return seen === undefined ? !isHidden(name) : isSick(seen)
  })
  return lost.length > controlPlanes.length / 2 ? 'majority' : undefined
}
