import type { PlannedStep } from './plan.js'

/** How far a roll of Talos goes before it waits for the user. */
export interface UpgradeLimit {
  /** After that many machines. */
  readonly pauseAfter?: number
  /** Only these. */
  readonly canary?: readonly string[]
}

/** Kinds of steps that only a roll has. */
const rolling = new Set([
  'pull-image',
  'install-talos',
  'upgrade-machine',
  'await-upgraded',
  'upgrade-part',
  'sync-manifests',
])
const preparing = new Set(['confirm-health', 'snapshot-etcd', 'register-schematic'])

/** The machines that a limited roll begins with, in the order of the plan. */
export function firstOfRoll(steps: readonly PlannedStep[], { pauseAfter, canary }: UpgradeLimit): Set<string> {
  const order = steps.flatMap(({ kind, machine }) =>
    kind === 'upgrade-machine' && machine !== undefined ? [machine] : [],
  )
  const chosen = canary === undefined ? order : order.filter((machine) => canary.includes(machine))
  return new Set(chosen.slice(0, pauseAfter))
}

/** What is left of a round when only these machines are upgraded: nobody waits for those that are not. */
export function withinLimit(steps: readonly PlannedStep[], machines: ReadonlySet<string>): readonly PlannedStep[] {
  const isOut = (machine: string | undefined) => machine === undefined || !machines.has(machine)
  const chains = new Set(
    steps.flatMap(({ kind, machine, turn }) => (kind === 'upgrade-machine' && isOut(machine) ? [turn?.chain] : [])),
  )
  const kept = steps.filter(({ kind, machine, turn }) => {
    if (kind === 'upgrade-part' || kind === 'sync-manifests') return false
    if (rolling.has(kind) && isOut(machine)) return false
    return turn === undefined || !chains.has(turn.chain)
  })
  const isRolling = kept.some(({ kind }) => kind === 'upgrade-machine')
  const left = isRolling ? kept : kept.filter(({ kind }) => !preparing.has(kind) && !rolling.has(kind))
  const ids = new Set(left.map(({ id }) => id))
  const linked = left.map((step) => ({ ...step, after: step.after.filter((id) => ids.has(id)) }))
  return linked.some(({ kind }) => kind !== 'check-health') ? linked : []
}
