import { planHighAvailability } from '../capabilities/high-availability/plan-high-availability.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { createDraft } from '../plan/draft.js'
import type { PlannedStep } from '../plan/plan.js'
import { planBackupJob } from '../plan/plan-backup-job.js'
import { planForgottenSeeds } from '../plan/plan-seeds.js'
import { refuseAnotherPool, refuseToLeaveBehind } from '../plan/refusals.js'
import { emptyPool } from '../steps/empty-pool.js'
import { releaseMachine } from '../steps/release-machine.js'
import { removePool } from '../steps/remove-pool.js'

/** Takes everything off Proxmox that makes the machines ours. They run on, and no node is contacted. */
export function planEjectRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  refuseAnotherPool(desired, observed)
  refuseToLeaveBehind(desired, observed)
  const draft = createDraft(desired, observed, round)
  const reason = 'the cluster is released'
  // They belong to the machines, which are found by their marks.
  const first = [planHighAvailability(draft, observed), planBackupJob(draft, observed)]
  const seeds = planForgottenSeeds(draft, observed)
  const released = [...observed.machines, ...observed.templates].map(({ name: machine }) =>
    draft.add(releaseMachine, { machine }, reason, [...first, ...seeds]),
  )
  if (observed.proxmox.poolExists) {
    const emptied = draft.add(emptyPool, {}, reason, [...released, ...seeds])
    draft.add(removePool, {}, reason, [...first, emptied])
  }
  return draft.steps
}
