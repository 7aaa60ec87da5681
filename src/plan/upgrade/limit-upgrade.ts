import { checkHealth } from '../../steps/check-health.js'
import { upgradeMachine } from '../../steps/upgrade-machine.js'
import type { PlannedStep } from '../plan.js'

/** How far a Talos upgrade goes before it waits for the user. */
export interface UpgradeLimit {
  /** Pause after this many machines. */
  readonly pauseAfter?: number
  /** Upgrade only these machines. */
  readonly canary?: readonly string[]
}

/** The machines that a limited upgrade starts with, in the order of the plan. */
export function firstOfRoll(steps: readonly PlannedStep[], { pauseAfter, canary }: UpgradeLimit): Set<string> {
  const order = steps.flatMap(({ kind, machine }) =>
    kind === upgradeMachine.kind && machine !== undefined ? [machine] : [],
  )
  const chosen = canary === undefined ? order : order.filter((machine) => canary.includes(machine))
  return new Set(chosen.slice(0, pauseAfter))
}

/** The rest of a round if only these machines are upgraded: nothing waits for the others. */
export function withinLimit(steps: readonly PlannedStep[], machines: ReadonlySet<string>): readonly PlannedStep[] {
  const isOut = (machine: string | undefined) => machine === undefined || !machines.has(machine)
  const chains = new Set(
    steps.flatMap(({ kind, machine, turn }) => (kind === upgradeMachine.kind && isOut(machine) ? [turn?.chain] : [])),
  )
  const kept = steps.filter(({ inUpgrade, machine, turn }) => {
    if (inUpgrade === 'after' || (inUpgrade === 'machine' && isOut(machine))) return false
    return turn === undefined || !chains.has(turn.chain)
  })
  const left = rolls(kept) ? kept : kept.filter(({ inUpgrade }) => inUpgrade === undefined)
  const ids = new Set(left.map(({ id }) => id))
  const linked = left.map((step) => ({ ...step, after: step.after.filter((id) => ids.has(id)) }))
  return linked.some(({ kind }) => kind !== checkHealth.kind) ? linked : []
}

/** Whether they upgrade a machine. */
export function rolls(steps: readonly PlannedStep[]): boolean {
  return steps.some(({ kind }) => kind === upgradeMachine.kind)
}
