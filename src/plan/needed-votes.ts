import { ifSeen } from '../cluster/seen.js'
import { findWanted } from '../machine/wanted-machine.js'
import { wasBootstrapped } from '../machine/was-bootstrapped.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { startMachine } from '../steps/power.js'
import type { Draft } from './draft.js'
import { hasMajority, memberOf } from './etcd-facts.js'

/**
 * Unwanted control planes that are off still count as etcd members. Unless etcd has a majority without them, they must
 * start again before they can leave.
 */
export function neededVotes({ desired }: Pick<Draft, 'desired'>, observed: Observed): ObservedMachine[] {
  const { newEtcd = false, restore } = desired.cluster
  if (newEtcd || restore !== undefined || !wasBootstrapped(observed)) return []
  const etcd = ifSeen(observed.etcd)
  if (observed.etcd.seen && (etcd === undefined || hasMajority(etcd))) return []
  return observed.machines.filter(
    (machine) =>
      machine.mark.role === 'controlplane' &&
      machine.mark.stage === 'made' &&
      machine.status === 'stopped' &&
      findWanted(desired, machine.name) === undefined &&
      (etcd === undefined || memberOf(etcd, machine) !== undefined),
  )
}

/** Starts them. Returns whether there were any: in that round nothing leaves etcd and nothing waits for it. */
export function planNeededVotes(draft: Draft, observed: Observed): boolean {
  const votes = neededVotes(draft, observed)
  const reason = 'it was removed from the inventory, but etcd needs its vote until it can leave'
  for (const { name: machine } of votes) {
    const started = draft.add(startMachine, { machine }, reason)
    draft.add(awaitBack, { machine, isControlPlane: true, isNode: false, after: 'start' }, 'others need its vote', [
      started,
    ])
  }
  return votes.length > 0
}
