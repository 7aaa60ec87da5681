import type { AnnouncedStep } from '../events.js'
import type { Digester } from './digest.js'

/** What to do, as data: printed by `plan`, run by `up`, drawn by a dashboard. */
export interface Plan {
  readonly version: 1
  readonly cluster: string
  readonly rounds: number
  readonly steps: readonly PlannedStep[]
  /** Machines that nothing can be done about now: their hosts do not answer. */
  readonly away: readonly string[]
  /** What could not be seen, and so is left as it is. */
  readonly unknown: readonly Unknown[]
  /** What was noticed and is left alone. */
  readonly notes: readonly string[]
  /** Those of the notes that say where the cluster differs from the inventory. */
  readonly differences?: readonly string[]
  /** Stands for what is written; the same one for all steps that are compared. */
  readonly digester: Digester
}

export interface Unknown {
  readonly what: string
  readonly why: string
}

export interface PlannedStep extends AnnouncedStep {
  readonly round: number
  readonly args: Readonly<Record<string, unknown>>
  readonly reason: string
  readonly lane?: string
  /** A lane held over a chain of steps: rolling work enters one machine at a time. */
  readonly turn?: Turn
  readonly changes: boolean
  readonly disruptive: boolean
  /** Takes back what an interrupted run left: needs no consent. */
  readonly restores: boolean
  /** It makes the interruption of its machine gentler. */
  readonly cushions: boolean
  /** It gives a machine its wanted config. */
  readonly setsConfig: boolean
  /** Data that is gone for good after it, in words: asked for on its own. */
  readonly loses: readonly string[]
  /** Names of inputs that are not known yet. */
  readonly pending: readonly string[]
  /** Stands for what it writes, but for inputs of these names; `null` where it writes nothing that could differ. */
  digest(digester: Digester, without?: readonly string[]): string | null
}

export interface Turn {
  readonly name: string
  readonly limit: number
  /** Steps of one chain share it; the turn is held from the first to the last of them. */
  readonly chain: string
}

/** How many steps change something. */
export function changesOf(plan: Plan): number {
  return plan.steps.filter((step) => step.changes).length
}

/** What a plan would lose, in words. */
export function lossesOf({ steps }: Pick<Plan, 'steps'>): string[] {
  return steps.flatMap(({ loses }) => loses)
}
