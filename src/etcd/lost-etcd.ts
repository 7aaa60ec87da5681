import type { Machine } from '../cluster/machine.js'
import { ifSeen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'
import { hasMajority } from './etcd-members.js'
import { isSick } from './sick-members.js'
import { wasBootstrapped } from './was-bootstrapped.js'

/** It existed, and has no majority now, or no machine has its data any more; `undefined` if neither is known. */
export function lostEtcd(
  observed: Observed,
  { machines }: { readonly machines: readonly Pick<Machine, 'name' | 'role'>[] },
): 'majority' | 'data' | undefined {
  const etcd = ifSeen(observed.etcd)
  if (etcd !== undefined) return hasMajority(etcd) ? undefined : 'majority'
  if (!wasBootstrapped(observed) || observed.proxmox.unreadHosts.length > 0) return undefined
  if (observed.etcd.seen) return 'data'
  const controlPlanes = machines.filter(({ role }) => role === 'controlplane').map(({ name }) => name)
  const lost = controlPlanes.filter((name) => isLost(name, observed))
  return lost.length > controlPlanes.length / 2 ? 'majority' : undefined
}

/** Control planes that do not answer may bring it back. Those without a VM, or whose etcd does not start, do not. */
function isLost(name: string, { machines, unverified }: Observed): boolean {
  const seen = machines.find((machine) => machine.name === name)
  return seen === undefined ? !unverified.some((vm) => vm.holds === name || vm.name === name) : isSick(seen)
}
