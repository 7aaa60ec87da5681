import type { PlannedStep } from '../plan.js'

/** How far a Talos upgrade goes before it waits for the user. */
export interface UpgradeLimit {
  /** Pause after this many machines. */
  readonly pauseAfter?: number
  /** Upgrade only these machines. */
  readonly canary?: readonly string[]
}

/** Step kinds that occur only in an upgrade. */
const rolling = new Set([
  'pull-image',
  'install-talos',
  'upgrade-machine',
  'await-upgraded',
  'upgrade-part',
  'sync-manifests',
])
const preparing = new Set(['confirm-health', 'snapshot-etcd', 'register-schematic'])

/** The machines that a limited upgrade starts with, in the order of the plan. */
export function firstOfRoll(steps: readonly PlannedStep[], { pauseAfter, canary }: UpgradeLimit): Set<string> {
  const order = steps.flatMap(({ kind, machine }) =>
    kind === 'upgrade-machine' && machine !== undefined ? [machine] : [],
  )
  const chosen = canary === undefined ? order : order.filter((machine) => canary.includes(machine))
  return new Set(chosen.slice(0, pauseAfter))
}

/** The rest of a round if only these machines are upgraded: nothing waits for the others. */
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
