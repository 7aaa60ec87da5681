import { Code, ConnectError } from '@connectrpc/connect'
import { findMembership } from './etcd-life.js'
import type { TalosMachine } from './machine.js'

/** Removes this member from etcd and deletes its data. The last member cannot leave. */
export function leaveEtcd(machine: TalosMachine): void {
  const membership = findMembership(machine)
  if (membership === undefined) return
  const { cluster, member } = membership
  if (cluster.members.size === 1)
    throw new ConnectError('etcdserver: re-configuration failed due to not enough started members', Code.Unavailable)
  if (!cluster.hasQuorum(member))
    throw new ConnectError('failed to remove member: etcdserver: no leader', Code.Unavailable)
  machine.fleet.vips.release(machine)
  machine.services.set('etcd', 'Finished', 'Service finished successfully')
  cluster.remove(member)
  delete machine.system?.ephemeral?.etcd
  machine.record('etcd.member-left', { etcd: cluster.id, member }, true)
}
