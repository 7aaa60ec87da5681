import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import type { DesiredMachine } from '../../desired/desired.js'
import type { PlanRefused } from '../../errors.js'
import { memberOf } from '../../etcd/etcd-members.js'
import { isSick } from '../../etcd/sick-members.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import { memberMustStay, onlyMember } from '../../findings/refusals/etcd.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { checkEvacuation } from '../../steps/check-evacuation.js'
import { dropSeed } from '../../steps/drop-seed.js'
import { joinNode } from '../../steps/join-node.js'
import { markIntent } from '../../steps/mark-intent.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { findSeen } from '../../work/wanted-machine.js'
import { planDisruption } from '../disruption.js'
import type { Draft } from '../draft.js'
import { neededVotes } from '../etcd/needed-votes.js'
import { mustWait } from '../etcd/unhealthy-members.js'
import { turnOf } from '../turns.js'
import { planLeaving } from './plan-leaving.js'
import { mustHostWait } from './plan-move.js'
import { byEvacuation, byReturn, type Replacement, replacementOf } from './rebuild.js'

/** Wanted machines whose VM is replaced in this round. */
export interface Replacements {
  /** This round plans nothing else for these machines. */
  readonly names: ReadonlySet<string>
  /** Removes the machines that can be removed now. Returns whether any are left to replace or recreate. */
  plan(): boolean
}

/**
 * Replaces a machine with one of the same name and address. One round removes it like an unwanted machine, the next
 * creates it like a lost one.
 */
export function findReplacements(draft: Draft, observed: Observed): Replacements {
  const { desired } = draft
  const asked = desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    const why = seen === undefined ? undefined : replacementOf(desired, wanted, seen)
    return seen === undefined || why === undefined ? [] : [{ wanted, seen, why }]
  })
  return {
    names: new Set(asked.map(({ seen }) => seen.name)),
    plan: () => {
      const counts = new Map<string, number>()
      for (const { wanted, seen, why } of asked) planReplacement(draft, wanted, seen, why, observed, counts)
      return asked.length > 0
    },
  }
}

function planReplacement(
  draft: Draft,
  wanted: DesiredMachine,
  seen: ObservedMachine,
  { by, reason }: Replacement,
  observed: Observed,
  counts: Map<string, number>,
): void {
  const { machine } = wanted
  const turn = turnOf(machine, draft.desired)
  const begun = counts.get(turn.name) ?? 0
  if (begun >= turn.limit || mustGroupReturn(draft, wanted, seen, turn.limit - begun)) return
  if (machine.role === 'controlplane' && !mayLeaveEtcd(draft, seen, observed, reason)) return
  const isMoved = by === byEvacuation || by === byReturn
  // Kubernetes is asked before machines leave a host, and does not answer without a majority.
  if (isMoved && (neededVotes(draft, observed).length > 0 || mustHostWait(draft, seen.host))) return
  counts.set(turn.name, begun + 1)
  const checked = isMoved ? draft.add(checkEvacuation, { host: seen.host }, 'machines leave it') : undefined
  const why = 'an interrupted run continues from it'
  // An evacuation is recorded in the inventory and ends there. The mark records the host that a machine returns to.
  const isNoted = isMoved || seen.mark.more?.replace !== undefined
  const noted = isNoted
    ? undefined
    : draft.add(markIntent, { machine: machine.name, intent: 'replace', by }, why, [checked], turn)
  planDisruption(draft, {
    seen,
    purpose: { leave: true },
    reason,
    before: [noted ?? checked],
    turn,
    work: (after) => planLeaving(draft, seen, observed, { after, turn, reason }),
  })
}

/**
 * If as many other machines of its group as may be unavailable are restarting or NotReady, the machine stays and they
 * are waited for. A machine that is NotReady itself adds no disruption.
 */
function mustGroupReturn(draft: Draft, { machine }: DesiredMachine, seen: ObservedMachine, free: number): boolean {
  const group = draft.desired.machines.filter(
    ({ machine: other }) => other.pool === machine.pool && other.role === machine.role && other.name !== machine.name,
  )
  const isAlive = seen.talos.reach === 'secured' && seen.node?.ready === true
  const returning = group.filter(({ machine: { name } }) => isComing(draft, name) || (isAlive && isAway(draft, name)))
  if (returning.length < free) return false
  if (isAlive) for (const { machine: other } of returning) planReturn(draft, other)
  return true
}

function isComing({ refIfPlanned }: Draft, machine: string): boolean {
  return [reachMachine, awaitBack].some((step) => refIfPlanned(step, { machine }) !== undefined)
}

/** It responds but has not caught up with the others: it was created a moment ago. */
function isAway({ observed }: Draft, name: string): boolean {
  const seen = findSeen(observed, name)
  if (seen?.talos.reach !== 'secured' || seen.mark.stage !== 'made' || isSick(seen)) return false
  const etcd = ifSeen(observed.etcd)
  const member = etcd === undefined ? undefined : memberOf(etcd, seen)
  const isMember = seen.mark.role === 'worker' || member?.isLearner === false
  return seen.node?.ready !== true || !isMember
}

function planReturn(draft: Draft, { name: machine, role }: DesiredMachine['machine']): void {
  if (draft.refIfPlanned(awaitBack, { machine }) !== undefined) return
  const args = { machine, isControlPlane: role === 'controlplane', isNode: true }
  draft.add(awaitBack, args, 'it must be Ready before the next machine', [
    draft.refIfPlanned(reachMachine, { machine }),
    draft.refIfPlanned(dropSeed, { machine }),
    draft.refIfPlanned(joinNode, { machine }),
  ])
}

/**
 * A running member leaves only while all others are healthy; a lost one while the others have a majority; the only one
 * never.
 */
function mayLeaveEtcd(draft: Draft, seen: ObservedMachine, observed: Observed, reason: string): boolean {
  if (!wasBootstrapped(observed)) return true
  const etcd = ifSeen(observed.etcd)
  // Possible members are brought back first; the next round decides.
  if (etcd === undefined) return false
  const member = memberOf(etcd, seen)
  if (member === undefined) return true
  if (etcd.members.length === 1) {
    // The others join first. It leaves once they are members.
    if (draft.desired.machines.some(({ machine }) => isAnother(machine, seen) && isComing(draft, machine.name)))
      return false
    throw onlyOne(seen.name, reason)
  }
  if (etcd.healthy.includes(member.id)) return !mustWait(draft, seen, observed)
  const needed = majority(etcd.members.length)
  if (etcd.healthy.length >= needed) return true
  throw memberMustStay.refuse(
    `${seen.name} cannot be replaced: ${etcd.healthy.length} of ${etcd.members.length} etcd members are healthy, and ${needed} are needed to remove it.`,
    {
      subject: { kind: 'machine', name: seen.name },
      where: `machine ${seen.name}`,
      fix: 'Recover another control plane first.',
    },
  )
}

function isAnother({ name, role }: DesiredMachine['machine'], seen: ObservedMachine): boolean {
  return role === 'controlplane' && name !== seen.name
}

function onlyOne(machine: string, reason: string): PlanRefused {
  return onlyMember.refuse(`${machine} is the only member of etcd, and cannot be replaced: ${reason}.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Add control planes first: ichor scale control_planes=3. Revert its changes in the inventory until then.',
  })
}
