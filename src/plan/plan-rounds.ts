import type { Desired } from '../desired/desired.js'
import type { Observed } from '../observe/observed.js'
import { stepOf } from '../steps/index.js'
import { shrinkNotes } from './disk-laws.js'
import { leftAlone } from './left-alone.js'
import { withLosses } from './losses.js'
import type { Plan, PlannedStep } from './plan.js'
import { planRound } from './plan-round.js'
import { versionNotes } from './version-laws.js'

const mostRounds = 20

type PlanOneRound = (desired: Desired, observed: Observed, round: number) => PlannedStep[]

/** All rounds: each step reports what would be seen after it, and the next round is planned on that. */
export function planRounds(
  spec: (observed: Observed) => Desired,
  observed: Observed,
  planOne: PlanOneRound = planRound,
): Plan {
  const steps: PlannedStep[] = []
  let seen = observed
  let rounds = 0
  const first = spec(observed)
  for (let round = 1; round <= mostRounds; round++) {
    const desired = spec(seen)
    const next = planOne(desired, seen, round)
    if (next.length === 0 || repeats(next, steps, round)) break
    steps.push(...withLosses(next, seen))
    seen = afterwards(next, desired, seen)
    rounds = round
  }
  return {
    version: 1,
    cluster: first.cluster.name,
    rounds,
    steps,
    away: first.away.map(({ machine }) => machine.name),
    notes: [
      ...observed.unverified.map(({ text }) => text),
      ...hiddenNotes(observed),
      ...versionNotes(first, observed),
      ...shrinkNotes(first, observed),
      ...leftAlone(first, observed),
    ],
  }
}

function hiddenNotes({ proxmox: { hidden = [] } }: Observed): string[] {
  const vmids = hidden.filter(({ machine }) => machine !== undefined).map(({ vmid }) => vmid)
  if (vmids.length === 0) return []
  if (vmids.length === 1)
    return [`VMID ${vmids[0]} has a guest that this token does not see: the next free one is taken.`]
  return [`VMIDs ${vmids.join(', ')} have guests that this token does not see: the next free ones are taken.`]
}

/** What would be seen after these steps. */
function afterwards(steps: readonly PlannedStep[], desired: Desired, observed: Observed): Observed {
  return steps.reduce((seen, { kind, args }) => stepOf(kind).effect(args, seen, desired), observed)
}

function repeats(next: readonly PlannedStep[], before: readonly PlannedStep[], round: number): boolean {
  const last = before.filter((step) => step.round === round - 1)
  return last.length === next.length && next.every(({ id }, index) => last[index]?.id === id)
}
