import { ifSeen } from '../cluster/seen.js'
import { findWanted } from '../machine/wanted-machine.js'
import { wasBootstrapped } from '../machine/was-bootstrapped.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { startMachine } from '../steps/power.js'
import type { Draft } from './draft.js'
import { hasMajority, memberOf } from './etcd-facts.js'

/**
 * Control planes that nobody wants any more and that are off have votes as well: while etcd is not seen to have its majority
 * without them, they must come back before they can leave.
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

/** Starts them. Whether there were any: nobody leaves etcd, and nothing waits for it, in the same round. */
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
