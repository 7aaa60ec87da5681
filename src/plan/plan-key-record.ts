import type { Observed } from '../observe/observed.js'
import { recordKeys } from '../steps/record-keys.js'
import { isRecorded } from '../vm/key-record.js'
import { findSeen } from '../work/wanted-machine.js'
import type { Draft } from './draft.js'

/** Every control plane keeps the record, because any of them may be the only one that can still be read. */
export function planKeyRecord(draft: Draft, observed: Observed): void {
  for (const { machine } of draft.desired.machines) {
    const seen = findSeen(observed, machine.name)
    if (seen !== undefined && !isRecorded(seen, draft.desired))
      draft.add(recordKeys, { machine: machine.name }, 'from then on, older secrets are refused')
  }
}
