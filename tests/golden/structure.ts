import type { Digester } from '../../src/plan/digest.js'
import type { PlannedStep, Turn } from '../../src/plan/plan.js'
import type { Outcome } from './plan-case.js'
import { stepLabels } from './step-labels.js'

const flags = ['changes', 'disruptive', 'restores', 'softens', 'setsConfig'] as const

/** What comes out, without the words: one fact in each line, so that a difference is read like one in code. */
export function structureOf({ rounds, digester, plan, refused }: Outcome): string {
  const steps = rounds.flatMap((round, index) => [`round ${index + 1}`, ...roundLines(round, digester)])
  const end =
    plan === undefined
      ? [`refused: ${refused !== undefined}`]
      : [
          `rounds: ${plan.rounds}`,
          ...plan.away.map((machine) => `away: ${machine}`),
          `unknown: ${plan.unknown.length}`,
          `notes: ${plan.notes.length}, of them differences: ${plan.differences?.length ?? 0}`,
        ]
  return `${[...steps, ...end].join('\n')}\n`
}

function roundLines(round: readonly PlannedStep[], digester: Digester): string[] {
  const labels = stepLabels(round)
  return round.flatMap((step) => [
    step.id,
    ...line('after', step.after.map((id) => labels.get(id) ?? id).join(' ')),
    ...line('lane', step.lane),
    ...line('turn', step.turn === undefined ? undefined : turnText(step.turn)),
    ...line('is', flags.filter((flag) => step[flag]).join(' ')),
    ...line('digest', [step.digest(digester) ?? [], step.pending.map((name) => `without ${name}`)].flat(2).join(' ')),
    ...step.loses.flatMap((loss) => line('loses', loss)),
  ])
}

function line(name: string, value = ''): string[] {
  return value === '' ? [] : [`  ${name} ${value}`]
}

function turnText({ name, limit, chain }: Turn): string {
  return `${name}, ${limit} at once, chain ${chain}`
}
