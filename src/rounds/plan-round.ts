import { planHostFirewall, planUnkeptSwitch } from '../capabilities/firewall/hosts/plan-host-firewall.js'
import { planFirewall, planUnkeptRules } from '../capabilities/firewall/node/plan-firewall.js'
import { planVmFirewall } from '../capabilities/firewall/vm/plan-vm-firewall.js'
import { planDroppedRules, planHighAvailability } from '../capabilities/high-availability/plan-high-availability.js'
import type { Desired } from '../desired/desired.js'
import { unknownEndpoint } from '../findings/refusals/machines.js'
import type { Observed } from '../observe/observed.js'
import { refuseBeforePlan } from '../plan/before-plan.js'
import { createDraft, type Draft } from '../plan/draft.js'
import { isControlPlaneSilent, isEtcdGivenUp } from '../plan/etcd/etcd-facts.js'
import { planNeededVotes, planReturningVotes } from '../plan/etcd/needed-votes.js'
import { planEtcd } from '../plan/etcd/plan-etcd.js'
import { refuseDeadEtcd } from '../plan/lost-majority.js'
import { planMachine } from '../plan/machine/plan-machine.js'
import { planColdMoves, planForgottenHomes, planLiveMoves } from '../plan/machine/plan-move.js'
import { planReboots } from '../plan/machine/plan-reboot.js'
import { planGivenUp, planRemoval } from '../plan/machine/plan-removal.js'
import { findReplacements, type Replacements } from '../plan/machine/plan-replacement.js'
import { planReturned } from '../plan/machine/plan-returned.js'
import { type Surge, surgeOf } from '../plan/machine/surge.js'
import type { PlannedStep } from '../plan/plan.js'
import { planAddons } from '../plan/plan-addons.js'
import { planAdoption } from '../plan/plan-adoption.js'
import { planBackupJob } from '../plan/plan-backup-job.js'
import { planHealth } from '../plan/plan-health.js'
import { planKeyRecord } from '../plan/plan-key-record.js'
import { planNodes } from '../plan/plan-nodes.js'
import { planGuestStarts, planShutdownEnds } from '../plan/plan-power-on.js'
import { planRotation } from '../plan/plan-rotation.js'
import { planForgottenSeeds } from '../plan/plan-seeds.js'
import { refuseLostMajority } from '../plan/refusals.js'
import { refuseUnfinishedRestore } from '../plan/restore-rules.js'
import { planKubernetesUpgrade } from '../plan/upgrade/plan-kubernetes-upgrade.js'
import { planUpgrade } from '../plan/upgrade/plan-upgrade.js'
import { enableContent } from '../steps/enable-content.js'
import { makeGuest } from '../steps/make-guest.js'
import { makeSecrets } from '../steps/make-secrets.js'
import { rememberSeals } from '../steps/seal-mark.js'

/** What a round has found out so far: later stages depend on it. */
interface Round {
  readonly draft: Draft
  readonly desired: Desired
  readonly observed: Observed
  replacements: Replacements
  /** Machines that are moved while they are off. */
  moving: ReadonlySet<string>
  surge: Surge
  /** etcd needs a vote that is not there yet. */
  isVoteAwaited: boolean
  /** Whether every unwanted machine is removed by this round. */
  removal?: 'planned' | 'waiting'
}

/** One planner, and why it stands in this place. */
interface Stage {
  readonly name: string
  /** Missing: always. */
  readonly when?: (round: Round) => boolean
  readonly plan: (round: Round) => void
  /** Nothing of the stages below is planned in this round. */
  readonly ends?: true
}

/** The order of a round, from top to bottom. */
const stages: readonly Stage[] = [
  {
    // Nothing is built, nor adopted, on an etcd that is being replaced.
    name: 'an unfinished restore',
    plan: ({ desired, observed }) => refuseUnfinishedRestore(desired, observed),
  },
  {
    // Without a mark they would look like machines that lost theirs.
    name: 'machines that are adopted',
    plan: ({ draft, observed }) => void planAdoption(draft, observed),
  },
  { name: 'they are adopted alone', when: hasSteps, plan: nothing, ends: true },
  {
    // Before everything else: the planners rely on it.
    name: 'what must be solved first',
    plan: ({ desired, observed }) => refuseBeforePlan('up', desired, observed),
  },
  {
    // An old etcd, rules on trial and unrecorded keys would be taken for the current state.
    name: 'what an interrupted run left',
    plan: ({ draft, observed }) => {
      planReturned(draft, observed)
      planUnkeptRules(draft, observed)
      planUnkeptSwitch(draft, observed)
      planKeyRecord(draft, observed)
    },
  },
  { name: 'it is undone alone', when: hasSteps, plan: nothing, ends: true },
  {
    // Marks are sealed with them.
    name: 'secrets',
    when: ({ observed }) => !observed.secrets.present,
    plan: ({ draft }) => void draft.add(makeSecrets, {}, 'the cluster has no secrets yet'),
  },
  { name: 'storage content', plan: ({ draft }) => planContent(draft) },
  { name: 'guests', plan: ({ draft, observed }) => planGuests(draft, observed) },
  {
    // Before the machines, which may need them.
    name: 'guests that a shutdown turned off',
    plan: ({ draft, observed }) => planGuestStarts(draft, observed),
  },
  {
    // The control planes go before any other is created: two would be two clusters.
    name: 'an etcd that is given up',
    when: ({ desired, observed }) => isEtcdGivenUp(desired, observed),
    plan: ({ draft, observed }) => planGivenUp(draft, observed),
    ends: true,
  },
  {
    // A rule of Proxmox HA would bring a machine back that is moved or deleted.
    name: 'dropped rules of Proxmox HA',
    plan: ({ draft, observed }) => planDroppedRules(draft, observed),
  },
  {
    // Decided before machines are planned: nothing else is done to those that are replaced, moved or created later.
    name: 'machines that are left alone',
    plan: (round) => {
      const { draft, observed } = round
      round.replacements = findReplacements(draft, observed)
      round.moving = planColdMoves(draft, round.replacements.names)
      round.surge = surgeOf(draft, observed)
    },
  },
  {
    // Before the machines: one of them may be off, and is started for its vote.
    name: 'votes that etcd needs',
    plan: (round) => {
      round.isVoteAwaited = planNeededVotes(round.draft, round.observed)
    },
  },
  { name: 'machines', plan: planMachines },
  {
    // After the machines: those that return are started by then.
    name: 'votes that return',
    plan: (round) => {
      if (planReturningVotes(round.draft, round.observed)) round.isVoteAwaited = true
    },
  },
  {
    // After the machines, whose starts it waits for.
    name: 'the end of a shutdown',
    plan: ({ draft, observed }) => planShutdownEnds(draft, observed),
  },
  {
    name: 'reboots',
    plan: ({ draft, observed, replacements, moving }) =>
      planReboots(draft, observed, new Set([...replacements.names, ...moving])),
  },
  {
    // After the reboots: a machine that moves is not rebooted meanwhile.
    name: 'live moves',
    plan: ({ draft, moving }) => {
      planLiveMoves(draft, moving)
      planForgottenHomes(draft)
    },
  },
  { name: 'seals', plan: ({ draft, observed }) => planSeals(draft, observed) },
  { name: 'backup job', plan: ({ draft, observed }) => planBackupJob(draft, observed) },
  {
    // Talos is not configured: an endpoint, and with it etcd, may be missing.
    name: '--until vms',
    when: ({ desired }) => desired.cluster.until === 'vms',
    plan: ({ draft, observed }) => void planForgottenSeeds(draft, observed),
    ends: true,
  },
  {
    // The endpoint may be the address of a machine whose replacement was interrupted.
    name: 'an unknown endpoint',
    when: ({ desired }) => desired.cluster.endpoint === undefined,
    plan: ({ draft, observed, replacements }) => {
      replacements.plan()
      planForgottenSeeds(draft, observed)
      refuseUnknownEndpoint(draft)
    },
    ends: true,
  },
  {
    // Not before the machines: what is started may bring the majority back.
    name: 'a lost majority',
    plan: ({ desired, observed }) => {
      refuseLostMajority(desired, observed)
      refuseDeadEtcd(desired, observed)
    },
  },
  {
    // Whether etcd exists is unknown until they respond, so nothing waits for it.
    name: 'etcd is awaited',
    when: (round) => round.isVoteAwaited || isUnreachable(round),
    plan: ({ draft, observed }) => void planForgottenSeeds(draft, observed),
    ends: true,
  },
  {
    // Before etcd is bootstrapped: an unwanted machine never becomes a member.
    name: 'removal before etcd exists',
    when: ({ observed }) => !observed.secrets.bootstrapped,
    plan: remove,
  },
  { name: 'etcd', plan: ({ draft, observed }) => planEtcd(draft, observed) },
  { name: 'nodes', plan: ({ draft, observed, replacements }) => planNodes(draft, observed, replacements.names) },
  {
    // Nothing waits for a node that is about to be removed.
    name: 'addons',
    when: (round) => round.desired.cluster.until !== 'bootstrap' && !hasReplacements(round),
    plan: ({ draft, observed }) => planAddons(draft, observed),
  },
  {
    // After new machines have joined an existing etcd.
    name: 'removal',
    when: ({ removal }) => removal === undefined,
    plan: remove,
  },
  {
    // After the removal: both lower the number of members.
    name: 'replacements',
    plan: (round) => {
      if (round.replacements.plan()) round.removal = 'waiting'
    },
  },
  {
    // After everything that may delete a machine with its seed.
    name: 'forgotten seeds',
    plan: ({ draft, observed }) => void planForgottenSeeds(draft, observed),
  },
  {
    // Talos first: a version of Kubernetes may need a newer one.
    name: 'upgrades',
    when: (round) => !hasReplacements(round),
    plan: ({ draft, observed }) => {
      planUpgrade(draft, observed)
      planKubernetesUpgrade(draft, observed)
    },
  },
  {
    // Machines that are created or moved in this round come under HA at its end.
    name: 'Proxmox HA',
    plan: ({ draft, observed }) => void planHighAvailability(draft, observed),
  },
  {
    // A machine that leaves would keep the old keys.
    name: 'rotation of keys',
    when: ({ removal }) => removal === 'planned',
    plan: ({ draft, observed }) => planRotation(draft, observed),
  },
  {
    // Rules come last, from the inside out: each is tried over connections that the next one could break.
    name: 'firewall of Talos',
    plan: ({ draft, observed }) => planFirewall(draft, observed),
  },
  { name: 'firewall of the hosts', plan: ({ draft, observed }) => planHostFirewall(draft, observed) },
  { name: 'firewall of the VMs', plan: ({ draft, observed }) => planVmFirewall(draft, observed) },
  {
    // It waits for all steps of the round.
    name: 'health',
    when: ({ desired, removal }) => desired.cluster.until === 'healthy' && removal === 'planned',
    plan: ({ draft, observed }) => planHealth(draft, observed),
  },
]

/**
 * The steps from the current state to the spec, as far as they are known now. Pure: the same input gives the same
 * steps.
 */
export function planRound(desired: Desired, observed: Observed, number: number): readonly PlannedStep[] {
  const round: Round = {
    draft: createDraft(desired, observed, number),
    desired,
    observed,
    replacements: { names: new Set(), plan: () => false },
    moving: new Set(),
    surge: { later: new Set(), staying: new Set(), before: () => [] },
    isVoteAwaited: false,
  }
  for (const stage of stages) {
    if (stage.when?.(round) === false) continue
    stage.plan(round)
    if (stage.ends) break
  }
  return round.draft.steps
}

function nothing(): void {}

function hasSteps({ draft }: Round): boolean {
  return draft.steps.length > 0
}

function hasReplacements({ replacements }: Round): boolean {
  return replacements.names.size > 0
}

function isUnreachable({ draft, observed }: Round): boolean {
  return !observed.etcd.seen && isControlPlaneSilent(observed) && draft.steps.length > 0
}

function remove(round: Round): void {
  round.removal = planRemoval(round.draft, round.observed, round.surge)
}

function planMachines({ draft, desired, observed, replacements, moving, surge }: Round): void {
  const isLeftAlone = (name: string) => replacements.names.has(name) || moving.has(name) || surge.later.has(name)
  for (const wanted of desired.machines) if (!isLeftAlone(wanted.machine.name)) planMachine(draft, wanted, observed)
}

function planContent(draft: Draft): void {
  for (const content of draft.desired.contentToEnable) draft.add(enableContent, content, '--enable-content was given')
}

/** Without an endpoint the cluster cannot be compared with its inventory, so that an empty plan would mean nothing. */
function refuseUnknownEndpoint({ desired: { cluster, away }, steps }: Draft): void {
  if (steps.length > 0 || away.length > 0) return
  const machine = cluster.bootstrapMachine
  throw unknownEndpoint.refuse(`The endpoint of the cluster is the address of ${machine}, which is not known.`, {
    subject: { kind: 'machine', name: machine },
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
