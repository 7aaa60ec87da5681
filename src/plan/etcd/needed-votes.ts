import { ifSeen } from '../../cluster/seen.js'
import { findMember, hasMajority, memberOf } from '../../etcd/etcd-members.js'
import { wasBootstrapped } from '../../etcd/was-bootstrapped.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { awaitBack } from '../../steps/await-back.js'
import { startMachine } from '../../steps/power.js'
import { reachMachine } from '../../steps/reach-machine.js'
import { isEmptied } from '../../vm/emptied.js'
import { findSeen, findWanted } from '../../work/wanted-machine.js'
import type { Draft, StepRef } from '../draft.js'

/** Control planes that are off still count as etcd members: unless etcd has a majority without them, they start first. */
export function neededVotes({ desired }: Pick<Draft, 'desired'>, observed: Observed): ObservedMachine[] {
  const {
    restore,
    intent: { newEtcd = false },
  } = desired.cluster
  if (newEtcd || restore !== undefined || !wasBootstrapped(observed)) return []
  const etcd = ifSeen(observed.etcd)
  if (observed.etcd.seen && (etcd === undefined || hasMajority(etcd))) return []
  return observed.machines.filter(
    (machine) =>
      machine.mark.role === 'controlplane' &&
      machine.mark.stage === 'made' &&
      machine.status === 'stopped' &&
      !isEmptied(machine, desired) &&
      (etcd === undefined || memberOf(etcd, machine) !== undefined),
  )
}

/** Starts unwanted ones. Returns whether there were any: in that round nothing leaves etcd and nothing waits for it. */
export function planNeededVotes(draft: Draft, observed: Observed): boolean {
  const votes = neededVotes(draft, observed).filter(({ name }) => findWanted(draft.desired, name) === undefined)
  const reason = 'it was removed from the inventory, but etcd needs its vote until it can leave'
  for (const { name: machine } of votes) planVote(draft, machine, draft.add(startMachine, { machine }, reason))
  return votes.length > 0
}

/** The same for wanted ones, which are started anyway, if the member of a lost machine can only leave with their votes. */
export function planReturningVotes(draft: Draft, observed: Observed): boolean {
  if (!isAnyMemberLost(draft, observed)) return false
  const returning = neededVotes(draft, observed).flatMap(({ name: machine }) => {
    const reached = draft.refIfPlanned(reachMachine, { machine })
    return reached === undefined ? [] : [planVote(draft, machine, reached)]
  })
  return returning.length > 0
}

function isAnyMemberLost({ desired }: Draft, observed: Observed): boolean {
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) return false
  return desired.machines.some(({ machine: { name }, address }) => {
    const found = findSeen(observed, name)
    const isLost = found === undefined || isEmptied(found, desired)
    return isLost && findMember(etcd, { name, address }) !== undefined
  })
}

function planVote(draft: Draft, machine: string, started: StepRef): StepRef {
  const args = { machine, isControlPlane: true, isNode: false, after: 'start' } as const
  return draft.add(awaitBack, args, 'others need its vote', [started])
}
