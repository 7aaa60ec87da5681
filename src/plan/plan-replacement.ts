import { majority } from '../cluster/quorum.js'
import { ifSeen } from '../cluster/seen.js'
import type { DesiredMachine } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { findIntent } from '../machine/intent.js'
import { findSeen } from '../machine/wanted-machine.js'
import { wasBootstrapped } from '../machine/was-bootstrapped.js'
import type { Observed, ObservedMachine } from '../observe/observed.js'
import { awaitBack } from '../steps/await-back.js'
import { checkEvacuation } from '../steps/check-evacuation.js'
import { markIntent } from '../steps/mark-intent.js'
import { reachMachine } from '../steps/reach-machine.js'
import { planDisruption } from './disruption.js'
import type { Draft } from './draft.js'
import { memberOf } from './etcd-facts.js'
import { planLeaving } from './plan-leaving.js'
import { mustWait } from './sick-etcd.js'
import { turnOf } from './turns.js'

/** Machines of a round that are wanted, and whose VM another one replaces. */
export interface Replacements {
  /** Nothing else is planned about these in this round. */
  readonly names: ReadonlySet<string>
  /** Removes those that can go now. Whether any of them is still there afterwards, to be replaced or to be made again. */
  plan(): boolean
}

/**
 * In place of a machine comes another one with the same name and address: it is removed in one round as one that nobody wants
 * any more, and made in the next as one that is lost.
 */
export function findReplacements(draft: Draft, observed: Observed): Replacements {
  const { desired } = draft
  const asked = desired.machines.flatMap((wanted) => {
    const seen = findSeen(observed, wanted.machine.name)
    const by = seen === undefined ? undefined : findIntent('replace', desired, seen)
    return seen === undefined || by === undefined ? [] : [{ wanted, seen, by }]
  })
  return {
    names: new Set(asked.map(({ seen }) => seen.name)),
    plan: () => {
      const counts = new Map<string, number>()
      for (const { wanted, seen, by } of asked) planReplacement(draft, wanted, seen, by, observed, counts)
      return asked.length > 0
    },
  }
}

function planReplacement(
  draft: Draft,
  { machine }: DesiredMachine,
  seen: ObservedMachine,
  by: string,
  observed: Observed,
  counts: Map<string, number>,
): void {
  const turn = turnOf(machine, draft.desired)
  const begun = counts.get(turn.name) ?? 0
  if (begun >= turn.limit || isGroupReturning(draft, machine, turn.limit - begun)) return
  if (machine.role === 'controlplane' && !mayLeaveEtcd(draft, seen, observed)) return
  counts.set(turn.name, begun + 1)
  const isStuck = by === 'evacuation'
  const reason = isStuck
    ? `it cannot be moved (${seen.stuck?.join('; ') ?? 'as an earlier run found'}): another VM takes its place elsewhere`
    : 'another VM takes its place'
  const checked = isStuck ? draft.add(checkEvacuation, { host: seen.host }, 'machines leave it') : undefined
  const why = 'an interrupted run continues from it'
  const isNoted = seen.mark.more?.replace !== undefined
  const noted = isNoted
    ? undefined
    : draft.add(markIntent, { machine: machine.name, intent: 'replace', by }, why, [checked], turn)
  planDisruption(draft, {
    seen,
    purpose: { leave: true },
    reason,
    before: [noted ?? checked],
    turn,
    work: (after) => planLeaving(draft, seen, observed, { after, turn, reason }),
  })
}

/** Others of its group are made or restarted in this round: as long as that are as many as may be away, it stays. */
function isGroupReturning({ desired, refIfPlanned }: Draft, machine: DesiredMachine['machine'], free: number): boolean {
  const returning = desired.machines.filter(
    ({ machine: other }) =>
      other.pool === machine.pool &&
      other.role === machine.role &&
      other.name !== machine.name &&
      [reachMachine, awaitBack].some((step) => refIfPlanned(step, { machine: other.name }) !== undefined),
  )
  return returning.length >= free
}

/** One that lives goes only while all others are well; a lost one while the others have their majority; the only one never. */
function mayLeaveEtcd(draft: Draft, seen: ObservedMachine, observed: Observed): boolean {
  if (!wasBootstrapped(observed)) return true
  const etcd = ifSeen(observed.etcd)
  // Whoever may hold it is brought back first; the next round asks again.
  if (etcd === undefined) return false
  const member = memberOf(etcd, seen)
  if (member === undefined) return true
  if (etcd.members.length === 1) throw onlyOne(seen.name)
  if (etcd.healthy.includes(member.id)) return !mustWait(draft, seen, observed)
  const needed = majority(etcd.members.length)
  if (etcd.healthy.length >= needed) return true
  throw new PlanRefused(
    `${seen.name} cannot be replaced: ${etcd.healthy.length} of ${etcd.members.length} etcd members are healthy, and ${needed} are needed to remove it.`,
    { where: `machine ${seen.name}`, fix: 'Bring another control plane back first.' },
  )
}

function onlyOne(machine: string): PlanRefused {
  return new PlanRefused(`${machine} is the only member of etcd: without it the cluster is lost.`, {
    where: `machine ${machine}`,
    fix: 'Add control planes first: ichor scale control_planes=3.',
  })
}
