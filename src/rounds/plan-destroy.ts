import { planHostRemoval } from '../capabilities/firewall/hosts/plan-host-firewall.js'
import { planLeftovers } from '../capabilities/firewall/vm/plan-vm-firewall.js'
import { planHighAvailability } from '../capabilities/high-availability/plan-high-availability.js'
import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { refuseBeforePlan } from '../plan/before-plan.js'
import { createDraft } from '../plan/draft.js'
import { planDeletion } from '../plan/machine/plan-deletion.js'
import type { PlannedStep } from '../plan/plan.js'
import { planBackupJob } from '../plan/plan-backup-job.js'
import { planForgottenSeeds } from '../plan/plan-seeds.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { forgetEtcd } from '../steps/forget-etcd.js'
import { stopMachine } from '../steps/power.js'
import { removePool } from '../steps/remove-pool.js'

/** Deletes everything that is proven to be ours, all at once and without contacting the guests. */
export function planDestroyRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  refuseBeforePlan('destroy', desired, observed)
  const draft = createDraft(desired, observed, round)
  const reason = 'the cluster is removed'
  const released = planHighAvailability(draft, observed)
  const gone = observed.machines.map((seen) => {
    const { name: machine, status } = seen
    const isRunning = status === 'running'
    const stopped = isRunning ? draft.add(stopMachine, { machine, because: 'teardown' }, reason, [released]) : undefined
    return planDeletion(draft, seen, { reason, after: [stopped, released], teardown: true })
  })
  const templates = observed.templates.map(({ name: machine }) =>
    draft.add(deleteMachine, { machine, teardown: true }, reason, gone),
  )
  const seeds = planForgottenSeeds(draft, observed)
  const unscheduled = planBackupJob(draft, observed)
  const opened = planLeftovers(draft, observed, gone)
  const switched = planHostRemoval(draft, observed, reason, gone)
  const isSeen = gone.length > 0 || observed.proxmox.poolExists
  const forgotten = observed.secrets.bootstrapped && isSeen ? draft.add(forgetEtcd, {}, reason, gone) : undefined
  if (observed.proxmox.poolExists)
    draft.add(removePool, {}, reason, [...gone, ...templates, ...seeds, forgotten, unscheduled, opened, switched])
  return draft.steps
}
