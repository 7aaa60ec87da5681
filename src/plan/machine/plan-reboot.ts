import type { DesiredMachine } from '../../desired/desired.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { drainNode } from '../../steps/drain-node.js'
import { markIntent } from '../../steps/mark-intent.js'
import { startMachine } from '../../steps/power.js'
import { rebootMachine } from '../../steps/reboot-machine.js'
import { findIntent } from '../../vm/intent.js'
import { findSeen } from '../../work/wanted-machine.js'
import { controlPlanesFirst, planDisruption } from '../disruption.js'
import type { Draft } from '../draft.js'
import { turnOf } from '../turns.js'

/**
 * Machines that this run was asked to reboot. All are recorded first; then each is drained, rebooted and ready before
 * the next one.
 */
export function planReboots(draft: Draft, observed: Observed, leaving: ReadonlySet<string>): void {
  const asked = draft.desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    const by = seen?.mark.stage === 'made' ? findIntent('reboot', draft.desired, seen) : undefined
    return seen === undefined || by === undefined || leaving.has(seen.name) ? [] : [{ wanted, seen, by }]
  })
  for (const { seen, by } of asked)
    if (seen.mark.more?.reboot === undefined)
      draft.add(markIntent, { machine: seen.name, intent: 'reboot', by }, 'an interrupted run continues from it')
  for (const { wanted, seen, by } of asked) planReboot(draft, wanted, seen, by)
}

/** A machine that restarts for another reason is rebooted in the next round. */
function planReboot(draft: Draft, { machine: wanted }: DesiredMachine, seen: ObservedMachine, by: string): void {
  const machine = wanted.name
  const isBusy = [drainNode, startMachine].some((step) => draft.refIfPlanned(step, { machine }) !== undefined)
  if (isBusy || seen.status !== 'running') return
  const turn = turnOf(wanted, draft.desired)
  const reason = 'requested'
  planDisruption(draft, {
    seen,
    purpose: { reboot: by },
    reason,
    before: [...draft.refs(markIntent), ...controlPlanesFirst(draft, wanted)],
    turn,
    work: (after) => [draft.add(rebootMachine, { machine, by }, reason, after, turn)],
  })
}
