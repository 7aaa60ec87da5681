import { hostFirewallNotes } from '../capabilities/firewall/hosts/plan-host-firewall.js'
import { networkNotes } from '../capabilities/firewall/policy/network-notes.js'
import { firewallNotes } from '../capabilities/firewall/vm/plan-vm-firewall.js'
import { stepOf } from '../capabilities/steps.js'
import type { Desired } from '../desired/desired.js'
import { sickNotes } from '../etcd/sick-members.js'
import type { Finding } from '../findings/finding.js'
import { offMachine, unprovenVm } from '../findings/notes/machines.js'
import { hiddenVmid, withoutQuorum } from '../findings/notes/proxmox.js'
import type { Observed } from '../observe/observed.js'
import { toleranceNotes } from '../plan/addon-rules.js'
import type { Digester } from '../plan/digest.js'
import { shrinkNotes } from '../plan/disk-rules.js'
import { lastMemberNotes } from '../plan/last-member.js'
import { leftAlone } from '../plan/left-alone.js'
import { lockNotes } from '../plan/lock-rules.js'
import { surgeNotes } from '../plan/machine/surge.js'
import { hostNotes } from '../plan/notes/host-notes.js'
import { seedNotes } from '../plan/notes/seed-notes.js'
import { strayNotes } from '../plan/notes/stray-notes.js'
import type { Plan, PlannedStep } from '../plan/plan.js'
import { rotationNotes } from '../plan/rotation-rules.js'
import { staleKeyNotes } from '../plan/stale-keys.js'
import { sameSteps } from '../plan/step-identity.js'
import { unknownsOf } from '../plan/unknowns.js'
import { chartNotes, deprecationNotes } from '../plan/version-rules.js'
import { deleteMachine } from '../steps/delete-machine.js'
import { createModel } from '../work/model.js'
import { administrationNotes } from './plan-administration.js'

/**
 * A distant version takes many hops of one or two rounds each, and machines replaced one by one take a few rounds each.
 */
export function maxRounds({ machines }: Pick<Desired, 'machines'>): number {
  return 60 + 4 * machines.length
}

/** The goal of a run, without the loop that executes it. */
export interface RoundPlanner {
  desire(observed: Observed): Desired
  planRound(desired: Desired, observed: Observed, round: number): readonly PlannedStep[]
}

/** All rounds: each step predicts the state after it, and the next round is planned on that state. */
export function planRounds({ desire, planRound }: RoundPlanner, observed: Observed, digester: Digester): Plan {
  const steps: PlannedStep[] = []
  let seen = observed
  let last: readonly PlannedStep[] = []
  let rounds = 0
  const first = desire(observed)
  for (let round = 1; round <= maxRounds(first); round++) {
    const desired = round === 1 ? first : desire(seen)
    const next = planRound(desired, seen, round)
    if (next.length === 0 || sameSteps(last, next, digester)) break
    steps.push(...next)
    seen = afterwards(next, desired, seen)
    last = next
    rounds = round
  }
  const differences = [
    ...shrinkNotes(first, observed),
    ...leftAlone(first, observed),
    ...administrationNotes(first, observed),
  ]
  return {
    cluster: first.cluster.name,
    rounds,
    steps,
    away: first.away.map(({ machine }) => machine.name),
    unknown: unknownsOf(first, observed),
    notes: [
      ...quorumNotes(observed),
      ...hostNotes(first, observed),
      ...unprovenNotes(observed),
      ...hiddenNotes(observed),
      ...lockNotes(observed),
      ...strayNotes(observed),
      ...seedNotes(first, observed),
      ...lastMemberNotes(first, observed),
      ...sickNotes(observed, deletedBy(steps)),
      ...surgeNotes(first, observed),
      ...toleranceNotes(first, observed),
      ...deprecationNotes(first, observed),
      ...rotationNotes(first, observed),
      ...staleKeyNotes(first, observed),
      ...offNotes(first, observed),
      ...chartNotes(first, observed),
      ...firewallNotes(first, observed),
      ...networkNotes(first, observed),
      ...hostFirewallNotes(first, observed),
      ...differences,
    ],
    differences,
    expected: seen,
    digester,
  }
}

/** Machines that get a new VM, or go. */
function deletedBy(steps: readonly PlannedStep[]): Set<string | undefined> {
  return new Set(steps.filter(({ kind }) => kind === deleteMachine.kind).map(({ machine }) => machine))
}

function quorumNotes({ proxmox }: Observed): Finding[] {
  if (proxmox.quorate !== false) return []
  const text = 'The Proxmox cluster has lost its quorum: it accepts no changes until enough hosts are online.'
  return [withoutQuorum.note(text, { subject: { kind: 'cluster', name: 'Proxmox' } })]
}

/** Also those on hosts that do not answer. */
function unprovenNotes({ unverified }: Pick<Observed, 'unverified'>): Finding[] {
  return unverified.map(({ text, host, vmid }) =>
    unprovenVm.note(text, {
      subject: { kind: 'object', name: `VM ${vmid}` },
      where: `Proxmox host ${host}, VM ${vmid}`,
    }),
  )
}

/** Consent to the plan covers the changes that their configs turn out to need. */
function offNotes({ machines }: Desired, observed: Observed): Finding[] {
  const off = observed.machines.filter(
    ({ name, status, mark }) =>
      status === 'stopped' && mark.stage === 'made' && machines.some(({ machine }) => machine.name === name),
  )
  return off.map(({ name }) =>
    offMachine.note(`${name} is off: its config is compared once it runs, and changed if it differs.`, {
      subject: { kind: 'machine', name },
    }),
  )
}

function hiddenNotes({ proxmox: { hidden = [] } }: Observed): Finding[] {
  const vmids = hidden.filter(({ machine }) => machine !== undefined).map(({ vmid }) => vmid)
  if (vmids.length === 0) return []
  const text =
    vmids.length === 1
      ? `VMID ${vmids[0]} is used by a guest that this token cannot see: the next free one is used.`
      : `VMIDs ${vmids.join(', ')} are used by guests that this token cannot see: the next free ones are used.`
  return [hiddenVmid.note(text, { subject: { kind: 'object', name: `VMID ${vmids.join(', ')}` } })]
}

/** The predicted state after these steps. @internal */
export function afterwards(steps: readonly PlannedStep[], desired: Desired, observed: Observed): Observed {
  const model = createModel(observed)
  for (const { kind, args } of steps) stepOf(kind, args).effect(model, desired)
  return model.observed()
}
