import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import { memberOf } from '../../etcd/etcd-members.js'
import { memberMustStay } from '../../findings/refusals/etcd.js'
import type { Observed, ObservedEtcd, ObservedMachine } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { startMachine } from '../../steps/power.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { removeEtcdMember } from '../../steps/remove-etcd-member.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import type { Draft } from '../draft.js'
import { replacementOf } from '../machine/rebuild.js'

/**
 * A running member leaves only while all that stay are healthy. A member that returns in this round is waited for, and
 * the next round decides. If nothing brings it back, no member leaves.
 */
export function mustWait(draft: Draft, seen: ObservedMachine, observed: Observed): boolean {
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined || draft.desired.cluster.intent.newEtcd || !isHealthyMember(etcd, seen)) return false
  const unhealthy = unhealthyMembers(draft, observed, etcd).filter((name) => name !== seen.name)
  if (unhealthy.length === 0) return false
  const replaced = unhealthy.filter((machine) => isReplaced(draft, machine))
  const lost = unhealthy.filter(
    (machine) => !replaced.includes(machine) && draft.refIfPlanned(reachMachine, { machine }) === undefined,
  )
  if (lost.length === 0) {
    for (const machine of unhealthy) if (!replaced.includes(machine)) planReturn(draft, machine)
    return true
  }
  const names = lost.join(', ')
  throw memberMustStay.refuse(
    `${seen.name} cannot leave while ${names} ${lost.length === 1 ? 'is' : 'are'} not healthy in etcd.`,
    {
      subject: { kind: 'machine', name: seen.name },
      where: `machine ${seen.name}`,
      fix: `Bring ${names} back first, or replace it: ichor replace ${lost[0]}. Until then, keep ${seen.name} in the inventory.`,
    },
  )
}

/** Another control plane returns, or is replaced or recreated, and etcd needs this vote until then: the next round decides. */
export function mustVoteMeanwhile(draft: Draft, seen: ObservedMachine): boolean {
  const { desired, observed } = draft
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined || desired.cluster.intent.newEtcd || !isHealthyMember(etcd, seen)) return false
  const voters = etcd.members.filter(({ isLearner }) => !isLearner)
  if (etcd.healthy.length > majority(voters.length)) return false
  return desired.machines.some(
    ({ machine: { name, role } }) =>
      role === 'controlplane' &&
      name !== seen.name &&
      (isComing(draft, name) || isUnhealthyAndReplaced(draft, etcd, name)),
  )
}

function isUnhealthyAndReplaced(draft: Draft, etcd: ObservedEtcd, machine: string): boolean {
  const found = findSeen(draft.observed, machine)
  return found !== undefined && !isHealthyMember(etcd, found) && isReplaced(draft, machine)
}

function isReplaced({ desired, observed }: Draft, machine: string): boolean {
  const [wanted, found] = [findWanted(desired, machine), findSeen(observed, machine)]
  return wanted !== undefined && found !== undefined && replacementOf(desired, wanted, found) !== undefined
}

/** It is missing, incomplete, partly deleted, or starting. */
function isComing({ observed, refIfPlanned }: Draft, machine: string): boolean {
  const found = findSeen(observed, machine)
  if (found === undefined || found.mark.stage !== 'made') return true
  return [startMachine, reachMachine].some((step) => refIfPlanned(step, { machine }) !== undefined)
}

/** Its API responding is enough; its etcd member votes a little later. */
function planReturn(draft: Draft, machine: string): void {
  const args = { machine, isControlPlane: true, isNode: false }
  draft.add(awaitBack, args, 'its etcd member must be healthy before others leave', [
    draft.ref(reachMachine, { machine }),
  ])
}

function isHealthyMember(etcd: ObservedEtcd, machine: ObservedMachine): boolean {
  return etcd.healthy.includes(memberOf(etcd, machine)?.id ?? '')
}

/** Machines whose members do not vote, and that neither leave nor are removed in this round. */
function unhealthyMembers({ desired, refIfPlanned }: Draft, { machines }: Observed, etcd: ObservedEtcd): string[] {
  const unhealthy = etcd.members.filter(({ id }) => !etcd.healthy.includes(id))
  if (unhealthy.length === 0) return []
  const owners = new Map(machines.toReversed().map((machine) => [memberOf(etcd, machine)?.id, machine.name]))
  return unhealthy
    .map(({ id, hostname }) => owners.get(id) ?? (hostname === '' ? id : hostname))
    .filter(
      (name) => findWanted(desired, name) !== undefined || desired.away.some(({ machine }) => machine.name === name),
    )
    .filter((machine) => refIfPlanned(removeEtcdMember, { machine }) === undefined)
}
