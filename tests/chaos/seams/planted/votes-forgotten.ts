import type { ObservedMachine } from '../../../../src/observe/observed.js'

/** Nobody is started first because etcd has no majority without it. */
export function neededVotes(): ObservedMachine[] {
  return []
}

export function planNeededVotes(): boolean {
  return false
}

export function planReturningVotes(): boolean {
  return false
}
