import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { createDraft } from './draft.js'
import type { PlannedStep } from './plan.js'
import { planForgottenSeeds } from './plan-seeds.js'
import { refuseAnotherPool, refuseProtected, refuseProtectedVms, refuseToLeaveBehind } from './refusals.js'

/** Everything that is proven to be ours goes, at once and without asking the guests. */
export function planDestroyRound(desired: Desired, observed: Observed, round: number): PlannedStep[] {
  refuseAnotherPool(desired, observed)
  refuseToLeaveBehind(observed)
  refuseProtected(desired, observed)
  refuseProtectedVms(observed)
  const draft = createDraft(desired, round)
  const reason = 'the cluster is taken away'
  for (const { name, host, status } of observed.machines) {
    const stopped = status === 'running' ? draft.add('stop-machine', { machine: name }, reason) : undefined
    draft.add('delete-machine', { machine: name, host }, reason, [stopped])
  }
  const gone = observed.machines.map(({ name }) => `delete-machine:${name}`)
  const templates = observed.templates.map(({ name, host }) =>
    draft.add('delete-machine', { machine: name, host }, reason, gone),
  )
  const seeds = planForgottenSeeds(draft, observed)
  const isSeen = gone.length > 0 || observed.proxmox.poolExists
  const forgotten = observed.secrets.bootstrapped && isSeen ? draft.add('forget-etcd', {}, reason, gone) : undefined
  if (observed.proxmox.poolExists) {
    draft.add('remove-pool', {}, reason, [...gone, ...templates, ...seeds, forgotten])
  }
  return draft.steps
}
