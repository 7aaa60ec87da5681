import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import type { Observed } from '../observe/observed.js'
import { enableContent } from '../steps/enable-content.js'
import { makeGuest } from '../steps/make-guest.js'
import { makeSecrets } from '../steps/make-secrets.js'
import { rememberSeals } from '../steps/seal-mark.js'
import { refuseShrink } from './disk-rules.js'
import { createDraft, type Draft } from './draft.js'
import { isControlPlaneSilent, isEtcdGivenUp } from './etcd-facts.js'
import { refuseDeadEtcd } from './lost-majority.js'
import { planNeededVotes, planReturningVotes } from './needed-votes.js'
import type { PlannedStep } from './plan.js'
import { planAddons } from './plan-addons.js'
import { planBackupJob } from './plan-backup-job.js'
import { planEtcd } from './plan-etcd.js'
import { planFirewall, planUnkeptRules } from './plan-firewall.js'
import { planHealth } from './plan-health.js'
import { planDroppedRules, planHighAvailability } from './plan-high-availability.js'
import { planHostFirewall, planUnkeptSwitch } from './plan-host-firewall.js'
import { planKubernetesUpgrade } from './plan-kubernetes-upgrade.js'
import { planMachine } from './plan-machine.js'
import { planColdMoves, planForgottenHomes, planLiveMoves } from './plan-move.js'
import { planNodes } from './plan-nodes.js'
import { planReboots } from './plan-reboot.js'
import { planGivenUp, planRemoval } from './plan-removal.js'
import { findReplacements } from './plan-replacement.js'
import { planReturned } from './plan-returned.js'
import { planRotation } from './plan-rotation.js'
import { planForgottenSeeds } from './plan-seeds.js'
import { planUpgrade } from './plan-upgrade.js'
import { planVmFirewall } from './plan-vm-firewall.js'
import { refuseDanger, refuseLostMajority } from './refusals.js'
import { refuseUnfinishedRestore } from './restore-rules.js'
import { refuseRotation } from './rotation-rules.js'
import { surgeOf } from './surge.js'

/**
 * The steps from the current state to the spec, as far as they are known now. Pure: the same input gives the same
 * steps.
 */
export function planRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[] {
  refuseUnfinishedRestore(observed)
  refuseDanger(desired, observed)
  refuseShrink(desired, observed)
  refuseRotation(desired, observed)
  const draft = createDraft(desired, observed, round)
  planReturned(draft, observed)
  planUnkeptRules(draft, observed)
  planUnkeptSwitch(draft, observed)
  if (draft.steps.length > 0) return draft.steps
  if (!observed.secrets.present) draft.add(makeSecrets, {}, 'the cluster has no secrets yet')
  for (const content of desired.contentToEnable) draft.add(enableContent, content, '--enable-content was given')
  planGuests(draft, observed)
  if (isEtcdGivenUp(desired, observed)) {
    planGivenUp(draft, observed)
    return draft.steps
  }
  planDroppedRules(draft, observed)
  const replacements = findReplacements(draft, observed)
  const moving = planColdMoves(draft, replacements.names)
  const surge = surgeOf(draft, observed)
  const isLeftAlone = (name: string) => replacements.names.has(name) || moving.has(name) || surge.later.has(name)
  const isVoteNeeded = planNeededVotes(draft, observed)
  for (const wanted of desired.machines) if (!isLeftAlone(wanted.machine.name)) planMachine(draft, wanted, observed)
  const isVoteAwaited = planReturningVotes(draft, observed)
  planReboots(draft, observed, new Set([...replacements.names, ...moving]))
  planLiveMoves(draft, moving)
  planForgottenHomes(draft)
  planSeals(draft, observed)
  planBackupJob(draft, observed)
  if (desired.cluster.until === 'vms') {
    planForgottenSeeds(draft, observed)
    return draft.steps
  }
  if (desired.cluster.endpoint === undefined) {
    // The endpoint may be the address of a machine whose replacement was interrupted.
    replacements.plan()
    planForgottenSeeds(draft, observed)
    refuseUnknownEndpoint(draft)
    return draft.steps
  }
  refuseLostMajority(desired, observed)
  refuseDeadEtcd(desired, observed)
  // Whether etcd exists is unknown until they respond, so nothing waits for it.
  const isUnheard = !observed.etcd.seen && isControlPlaneSilent(observed) && draft.steps.length > 0
  if (isVoteNeeded || isVoteAwaited || isUnheard) {
    planForgottenSeeds(draft, observed)
    return draft.steps
  }
  // Unwanted machines are removed before etcd is bootstrapped, or after new machines have joined an existing etcd.
  let removal = observed.secrets.bootstrapped ? undefined : planRemoval(draft, observed, surge)
  planEtcd(draft, observed)
  planNodes(draft, observed, replacements.names)
  // Nothing waits for a node that is about to be removed.
  if (desired.cluster.until !== 'bootstrap' && replacements.names.size === 0) planAddons(draft, observed)
  removal ??= planRemoval(draft, observed, surge)
  if (replacements.plan()) removal = 'waiting'
  planForgottenSeeds(draft, observed)
  if (replacements.names.size === 0) {
    planUpgrade(draft, observed)
    planKubernetesUpgrade(draft, observed)
  }
  planHighAvailability(draft, observed)
  if (removal === 'planned') planRotation(draft, observed)
  planFirewall(draft, observed)
  planHostFirewall(draft, observed)
  planVmFirewall(draft, observed)
  if (desired.cluster.until === 'healthy' && removal === 'planned') planHealth(draft, observed)
  return draft.steps
}

/** Without an endpoint the cluster cannot be compared with its inventory, so that an empty plan would mean nothing. */
function refuseUnknownEndpoint({ desired: { cluster, away }, steps }: Draft): void {
  if (steps.length > 0 || away.length > 0) return
  const machine = cluster.bootstrapMachine
  throw new PlanRefused(`The endpoint of the cluster is the address of ${machine}, which is not known.`, {
    where: `machine ${machine}`,
    fix: `Look at the console of ${machine} in Proxmox. An endpoint that does not depend on one machine: network.vip or endpoint_override.`,
  })
}

/** Created if no VM with that name or VMID exists. Existing ones are left unchanged. */
function planGuests(draft: Draft, { proxmox }: Observed): void {
  const there = new Set(proxmox.guests.flatMap(({ name, vmid }) => [name, vmid]))
  for (const { name, vmid } of draft.desired.guestsToMake) {
    if (!there.has(name) && !there.has(vmid))
      draft.add(makeGuest, { guest: name }, 'new guest', [draft.refIfPlanned(makeSecrets, {})])
  }
}

/** Once every mark is sealed, marks without a seal are no longer trusted. */
function planSeals(draft: Draft, { secrets, machines, templates }: Observed): void {
  const isSealed = [...machines, ...templates].every((vm) => vm.isSealed)
  if (secrets.present && !secrets.sealed && isSealed && draft.desired.away.length === 0)
    draft.add(rememberSeals, {}, 'every mark has a seal')
}
