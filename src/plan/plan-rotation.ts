import { isUnfinished } from '../cluster/rotation.js'
import type { Observed } from '../observe/observed.js'
import { advanceRotation, awaitRotated, beginRotation } from '../steps/rotate-key.js'
import type { Draft, StepRef } from './draft.js'
import type { Turn } from './plan.js'

/**
 * A key takes the place of another in three phases, each a round: nodes have the config of the phase, that is proven, and only
 * then the next phase is written down. The configs themselves are changed as ever, one machine after the other.
 */
export function planRotation(draft: Draft, { secrets: { rotation } }: Observed): void {
  const { rotating } = draft.desired.cluster
  if (rotating === undefined || draft.steps.some(({ changes }) => changes)) return
  const { what, run } = rotating
  if (isUnfinished(rotation)) {
    draft.add(advanceRotation, { what, from: rotation.phase }, reasons[rotation.phase])
  } else if (rotation?.run !== run) {
    draft.add(beginRotation, { what }, 'an interrupted run continues from it')
  }
}

/** Whoever gets the config of a phase is seen to be in it before the next one goes. */
export function planRotated(draft: Draft, machine: string, changed: StepRef, turn: Turn): StepRef | undefined {
  const { rotation } = draft.observed.secrets
  if (!isUnfinished(rotation)) return undefined
  const { what, phase } = rotation
  return draft.add(awaitRotated, { machine, what, phase }, 'the next machine waits for it', [changed], turn)
}

const reasons = {
  accept: 'every node has the new key beside the old one',
  issue: 'every node signs with the new key',
  drop: 'no node has the old key',
} as const
