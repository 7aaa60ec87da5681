import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import { isUnmanaged } from '../../cluster/unmanaged.js'
import { findMember, memberOf } from '../../etcd/etcd-members.js'
import { mayBeAlive } from '../../etcd/may-be-alive.js'
import { neverTwice } from '../../etcd/never-twice.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import type { Observed, ObservedEtcd } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { bootstrapEtcd } from '../../steps/bootstrap-etcd.js'
import { deleteMachine } from '../../steps/delete-machine.js'
import { endRecovery } from '../../steps/note-recovery.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { rememberEtcd } from '../../steps/remember-etcd.js'
import { removeEtcdMember } from '../../steps/remove-etcd-member.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import type { Draft, StepRef } from '../draft.js'
import { planKubelet } from '../plan-nodes.js'
import { canDecideEtcd, isThereUnproven } from './etcd-facts.js'

/**
 * etcd is bootstrapped once. If it cannot be observed, nothing is decided: possible members are started and reached
 * first, and the next round decides.
 */
export function planEtcd(draft: Draft, observed: Observed): void {
  const {
    bootstrapMachine,
    intent: { newEtcd = false },
  } = draft.desired.cluster
  if (!canDecideEtcd(observed, newEtcd)) return
  const etcd = ifSeen(observed.etcd)
  if (etcd !== undefined) {
    planEtcdRecord(draft, observed)
    planLostMembers(draft, observed, etcd)
    return
  }
  const seen = findSeen(observed, bootstrapMachine)
  const isLost = wasBootstrapped(observed) && seen?.mark.bootstrap !== 'asked'
  if (draft.desired.away.some(({ machine }) => machine.role === 'controlplane')) return
  if (isLost && !newEtcd) throw neverTwice(bootstrapMachine)
  const reason = isLost ? 'the old etcd is given up: this one is EMPTY' : 'the cluster has no etcd yet'
  draft.add(bootstrapEtcd, { machine: bootstrapMachine }, reason, [
    draft.refIfPlanned(reachMachine, { machine: bootstrapMachine }),
    ...(isLost ? planReturns(draft, observed) : []),
    // Otherwise they would join before they are deleted, and the cluster would lose its majority with them.
    ...draft.refs(deleteMachine),
  ])
}

/**
 * A run that ended before etcd responded leaves a mark that still allows a first bootstrap. It must not be trusted
 * later.
 */
function planEtcdRecord(draft: Draft, { machines, secrets }: Observed): void {
  const { recovery } = secrets
  if (recovery?.stage === 'recovering')
    draft.add(endRecovery, { snapshot: recovery.snapshot }, 'etcd is restored, and the run that restored it has ended')
  if (!secrets.bootstrapped) draft.add(rememberEtcd, {}, 'etcd exists, but the secrets have no record of it')
  for (const { name: machine, mark } of machines)
    if (mark.bootstrap === 'asked' && findWanted(draft.desired, machine) !== undefined)
      draft.add(bootstrapEtcd, { machine, isThere: true }, 'an interrupted run did not see it happen')
}

/**
 * Members without a machine: their VM and node were deleted by hand, or their machine was recreated. While they are
 * listed they count towards the majority, and a new machine with that name cannot join.
 */
function planLostMembers(draft: Draft, observed: Observed, etcd: ObservedEtcd): void {
  const { members, healthy } = etcd
  const { unmanaged = [] } = draft.desired.cluster
  const isBlind =
    observed.proxmox.unreadHosts.length > 0 || observed.unverified.some(({ because }) => because === 'away')
  if (isBlind || healthy.length < majority(members.length)) return
  const known = new Set(observed.machines.map((machine) => memberOf(etcd, machine)?.id))
  const blocked = observed.machines.filter((machine) => isBlocked(machine))
  for (const member of members) {
    const { id, hostname } = member
    if (
      !known.has(id) &&
      !healthy.includes(id) &&
      !mayBeAlive(member, observed) &&
      findWanted(draft.desired, hostname) === undefined &&
      !isUnmanaged(hostname, unmanaged) &&
      !isThereUnproven(hostname, observed)
    )
      draft.add(removeEtcdMember, { machine: hostname }, 'no machine of this cluster has it')
  }
  for (const seen of blocked) {
    const stale = findMember(etcd, { name: seen.name, node: seen.node?.name, address: seen.address })
    if (stale !== undefined && etcd.owners[stale.id] === undefined && !healthy.includes(stale.id))
      draft.add(removeEtcdMember, { machine: seen.name }, 'it belongs to a former VM, and the new one cannot join')
  }
}

/** Talos reports that it cannot join because its member name is taken. */
function isBlocked({ talos, mark }: Observed['machines'][number]): boolean {
  return (
    mark.role === 'controlplane' &&
    talos.reach === 'secured' &&
    /already been bootstrapped/.test(talos.etcdProblem ?? '')
  )
}

/**
 * A new etcd may not know the nodes of machines that keep running. Their kubelets register once etcd responds, even if
 * the run is interrupted in between.
 */
export function planReturns(draft: Draft, { machines }: Pick<Observed, 'machines'>): (StepRef | undefined)[] {
  return machines
    .filter(({ name }) => findWanted(draft.desired, name) !== undefined)
    .map((seen) =>
      planKubelet(draft, seen, 'a new etcd may not know its node', [
        draft.refIfPlanned(awaitBack, { machine: seen.name }),
      ]),
    )
}
