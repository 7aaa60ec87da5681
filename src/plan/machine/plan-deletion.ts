import type { ObservedMachine } from '../../observe/observed.js'
import { deleteMachine } from '../../steps/delete-machine.js'
import { unprotectVm } from '../../steps/unprotect-vm.js'
import { isProtectedByUs } from '../../vm/protection.js'
import type { Draft, StepRef } from '../draft.js'
import type { Turn } from '../plan.js'

export interface Deletion {
  readonly reason: string
  readonly after: readonly (StepRef | undefined)[]
  readonly turn?: Turn
  /** The whole cluster is being deleted. */
  readonly teardown?: true
}

/** Deletes the VM, after removing the protection that ichor set. */
export function planDeletion(
  draft: Draft,
  seen: ObservedMachine,
  { reason, after, turn, teardown }: Deletion,
): StepRef {
  const { name: machine } = seen
  const freed = planUnprotect(draft, seen, reason, after, turn)
  return draft.add(deleteMachine, { machine, ...(teardown ? { teardown } : {}) }, reason, [...after, freed], turn)
}

/** `undefined` if ichor did not protect it. */
export function planUnprotect(
  draft: Draft,
  seen: ObservedMachine,
  reason: string,
  after: readonly (StepRef | undefined)[],
  turn?: Turn,
): StepRef | undefined {
  return isProtectedByUs(seen) ? draft.add(unprotectVm, { machine: seen.name }, reason, after, turn) : undefined
}
