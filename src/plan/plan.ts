import type { AnnouncedStep } from '../events/event.js'
import type { Change } from '../events/plan-view.js'
import type { StepLimit } from '../events/step-limit.js'
import type { Finding } from '../findings/finding.js'
import type { Observed } from '../observe/observed.js'
import type { StepTraits } from '../steps/step.js'
import type { Digester } from './digest.js'

/** What to do, as data: printed by `plan`, executed by `up`, drawn by the dashboard. */
export interface Plan {
  readonly cluster: string
  readonly rounds: number
  readonly steps: readonly PlannedStep[]
  /** Machines that cannot be changed now because their hosts do not respond. */
  readonly away: readonly string[]
  /** What could not be observed and is therefore left unchanged. */
  readonly unknown: readonly Unknown[]
  /** What was noticed and is left unchanged. */
  readonly notes: readonly Finding[]
  /** The notes that describe differences from the inventory. */
  readonly differences?: readonly Finding[]
  /** What would be observed after it. */
  readonly expected: Observed
  /** Digests what is written; the same one for all steps that are compared. */
  readonly digester: Digester
}

export interface Unknown {
  readonly what: string
  readonly why: string
}

export interface PlannedStep extends Omit<AnnouncedStep, 'limits'>, StepTraits {
  readonly round: number
  readonly args: Readonly<Record<string, unknown>>
  readonly reason: string
  /** The reason for the row of a machine, if it is another text. */
  readonly sentences?: readonly string[]
  /** What it changes, where an old or a new value is known. */
  readonly values: readonly Change[]
  readonly lane?: string
  readonly laneLimit?: number
  /** A lane held over a chain of steps: rolling changes handle one machine at a time. */
  readonly turn?: Turn
  /** Data that is lost, in words. Needs separate consent. */
  readonly loses: readonly string[]
  /** Names of inputs that are not known yet. */
  readonly pending: readonly string[]
  /** A digest of what the step writes, without inputs of these names; `null` if it writes nothing that could differ. */
  digest(digester: Digester, without?: readonly string[]): string | null
}

export interface Turn {
  readonly name: string
  readonly limit: number
  /** Shared by the steps of one chain. The turn is held from the first step to the last. */
  readonly chain: string
}

/** What bounds how many of these steps run at once. */
export function limitsOf({ lane, laneLimit, turn }: Pick<PlannedStep, 'lane' | 'laneLimit' | 'turn'>): StepLimit[] {
  return [
    ...(lane === undefined || laneLimit === undefined ? [] : [{ name: lane, limit: laneLimit }]),
    ...(turn === undefined ? [] : [{ name: `turn ${turn.name}`, limit: turn.limit }]),
  ]
}

/** The number of steps that change something. */
export function changesOf(plan: Plan): number {
  return plan.steps.filter((step) => step.changes).length
}

/** What a plan would lose, in words. */
export function lossesOf({ steps }: { readonly steps: readonly Pick<PlannedStep, 'loses'>[] }): string[] {
  return steps.flatMap(({ loses }) => loses)
}
