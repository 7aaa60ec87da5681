import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { createDraft, type Draft } from './draft.js'
import type { PlannedStep } from './plan.js'
import { planAddons } from './plan-addons.js'
import { planEtcd } from './plan-etcd.js'
import { planHealth } from './plan-health.js'
import { planMachine } from './plan-machine.js'
import { planNodes } from './plan-nodes.js'
import { planRemoval } from './plan-removal.js'
import { planForgottenSeeds } from './plan-seeds.js'
import { refuseBlindEtcd, refuseDanger } from './refusals.js'

/** What is between the spec and the world, as far as it can be said now. Pure: same input, same steps. */
export function planRound(desired: Desired, observed: Observed, round: number): PlannedStep[] {
  refuseDanger(desired, observed)
  const draft = createDraft(desired, round)
  if (!observed.secrets.present) {
    draft.add('make-secrets', {}, 'the cluster has no secrets yet')
    return draft.steps
  }
  for (const content of desired.contentToEnable) draft.add('enable-content', content, '--enable-content was given')
  planGuests(draft, observed)
  for (const machine of desired.machines) planMachine(draft, machine, observed)
  planForgottenSeeds(draft, observed)
  if (desired.cluster.until === 'vms' || desired.cluster.endpoint === undefined) return draft.steps
  refuseBlindEtcd(desired, observed)
  // Whoever is not wanted any more goes before etcd begins, and after new machines came to one that is there.
  if (!observed.secrets.bootstrapped) planRemoval(draft, observed)
  planEtcd(draft, observed)
  planNodes(draft, observed)
  if (desired.cluster.until !== 'bootstrap') planAddons(draft, observed)
  if (observed.secrets.bootstrapped) planRemoval(draft, observed)
  if (desired.cluster.until === 'healthy') planHealth(draft, observed)
  return draft.steps
}

/** Made when nobody of that name or VMID is there; whoever is there is left alone. */
function planGuests(draft: Draft, { proxmox }: Observed): void {
  for (const { name, vmid } of draft.desired.guestsToMake) {
    const isThere = proxmox.guests.some((guest) => guest.name === name || guest.vmid === vmid)
    if (!isThere) draft.add('make-guest', { guest: name }, 'the inventory wants it made once')
  }
}
