import { isUnfinished, type RotationTarget } from '../cluster/rotation.js'
import type { Observed } from '../observe/observed.js'
import { renewTokens, rewriteSecrets } from '../steps/renew-key.js'
import { advanceRotation, awaitRotated, beginRotation } from '../steps/rotate-key.js'
import type { Draft, StepRef } from './draft.js'
import type { Turn } from './plan.js'

/**
 * A key is replaced in phases, one round each: the nodes get the config of the phase, this is verified, and only then
 * the next phase is recorded. Configs change as usual, one machine at a time.
 */
export function planRotation(draft: Draft, { secrets: { rotation } }: Observed): void {
  const { rotating } = draft.desired.cluster.intent
  if (rotating === undefined || draft.steps.some(({ changes }) => changes)) return
  const { what, run } = rotating
  if (isUnfinished(rotation)) {
    const renewed = rotation.phase === 'renew' ? planRenewal(draft, what) : undefined
    draft.add(advanceRotation, { what, from: rotation.phase }, reasons[rotation.phase], [renewed])
  } else if (rotation?.run !== run) {
    draft.add(beginRotation, { what }, 'an interrupted run continues from it')
  }
}

/** A machine must be verified in a phase before the next machine gets that config. */
export function planRotated(draft: Draft, machine: string, changed: StepRef, turn: Turn): StepRef | undefined {
  const { rotation } = draft.observed.secrets
  if (!isUnfinished(rotation)) return undefined
  const { what, phase } = rotation
  return draft.add(awaitRotated, { machine, what, phase }, 'the next machine waits for it', [changed], turn)
}

/** Nodes use the new key without further steps. What was made with the old key stays until it is recreated. */
function planRenewal(draft: Draft, what: RotationTarget): StepRef {
  if (what === 'etcd-encryption-key')
    return draft.add(rewriteSecrets, {}, 'what lies in etcd under the old key could not be read without it')
  return draft.add(renewTokens, {}, 'tokens of the old key would be refused without it')
}

const reasons = {
  accept: 'every node has the new key beside the old one',
  issue: 'every node uses the new key',
  renew: 'nothing needs the old key',
  drop: 'no node has the old key',
} as const
