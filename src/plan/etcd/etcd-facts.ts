import { oncePer } from '../../cluster/lookup.js'
import { mayHaveRun } from '../../cluster/may-have-run.js'
import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import type { Desired } from '../../desired/desired.js'
import { memberOf } from '../../etcd/etcd-members.js'
import { isAwaitingEtcd } from '../../etcd/etcd-waits.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'

/**
 * Whether this round can decide about etcd: etcd was observed, or every possible member responds and the user has given
 * it up. Otherwise this round starts and reaches the silent members first, and the next round decides.
 */
export function canDecideEtcd(observed: Observed, newEtcd: boolean): boolean {
  return observed.etcd.seen || (newEtcd && !isControlPlaneSilent(observed))
}

/**
 * The user gives etcd up, and it has verifiably failed: every existing control plane responds, none of them knows a
 * leader, and they are too few to elect one. Old etcd data on their disks would keep them from joining the new cluster.
 */
export function isEtcdGivenUp({ cluster, away }: Desired, observed: Observed): boolean {
  const etcd = ifSeen(observed.etcd)
  if (cluster.intent.newEtcd !== true || etcd === undefined || etcd.healthy.length > 0) return false
  const isUnread = away.length > 0 || observed.proxmox.unreadHosts.length > 0
  if (isUnread || isControlPlaneSilent(observed)) return false
  const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane')
  const left = new Set(controlPlanes.flatMap((machine) => memberOf(etcd, machine)?.id ?? []))
  return left.size < majority(etcd.members.length)
}

/** A control plane that ran, or may have run, and does not respond. */
export function isControlPlaneSilent({ machines }: Observed): boolean {
  return isAnySilent(machines)
}

const isAnySilent = oncePer((machines: Observed['machines']) =>
  machines.some(
    (machine) =>
      machine.mark.role === 'controlplane' &&
      (machine.talos.reach === 'silent' || machine.talos.reach === 'off') &&
      mayHaveRun(machine),
  ),
)

/** A created control plane does not respond: it may hold etcd, whatever the secrets record. */
export function isMadeControlPlaneSilent({ machines }: Observed): boolean {
  return machines.some(
    ({ mark, talos }) =>
      mark.role === 'controlplane' && mark.stage !== 'making' && (talos.reach === 'silent' || talos.reach === 'off'),
  )
}

/** It responds, and it has etcd or does not report that it has none. */
export function holdsEtcd(machine: ObservedMachine, { etcd }: Pick<Observed, 'etcd'>): boolean {
  const { mark, talos, name } = machine
  if (mark.role !== 'controlplane' || talos.reach !== 'secured') return false
  if (etcd.seen && etcd.value === undefined) return false
  const isMember = etcd.seen && Object.values(etcd.value?.owners ?? {}).includes(name)
  return isMember || !isAwaitingEtcd(talos)
}

/** Like `holdsEtcd`, or it ran once and does not respond. */
export function mayHoldEtcd(machine: ObservedMachine, observed: Pick<Observed, 'etcd'>): boolean {
  return holdsEtcd(machine, observed) || isAnySilent([machine])
}

/** A VM with that name exists and cannot be proven to be ours: its possible leftovers are not cleaned up. */
export function isThereUnproven(name: string, { unverified }: Pick<Observed, 'unverified'>): boolean {
  return unverified.some((vm) => vm.name === name || vm.holds === name)
}
