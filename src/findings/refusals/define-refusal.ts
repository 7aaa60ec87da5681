import type { GoalName } from '../../cluster/goal-name.js'
import { PlanRefused } from '../../errors.js'
import type { FindingCode, Subject } from '../finding.js'
import type { Phase } from '../phase.js'

/** Goals that make and change machines. */
export const building = ['up', 'restore', 'drill'] as const
export const removing = ['destroy', 'clean-up', 'eject'] as const
export const changing = [...building, ...removing] as const
/** Goals for which the inventory is resolved. */
export const resolving = [...building, 'access'] as const
export const every = [...changing, 'access', 'shutdown'] as const

/** A reason not to carry out a goal. The code that sees it throws it. */
export interface Refusal {
  readonly code: FindingCode
  /** Names the section in `docs/findings.md`. */
  readonly name: string
  readonly phase: Exclude<Phase, 'look'>
  /** The goals that it blocks. */
  readonly blocks: readonly GoalName[]
  /** The rule behind it, and what would follow. */
  readonly detail: string
  refuse(problem: string, details: RefusalCase): PlanRefused
}

export interface RefusalCase {
  readonly subject: Subject
  readonly where: string
  readonly fix: string
  /** The command that solves it, if one does. */
  readonly command?: string
  readonly cause?: unknown
}

export function defineRefusal(definition: Omit<Refusal, 'refuse'>): Refusal {
  const { code, blocks, detail } = definition
  return {
    ...definition,
    refuse: (title, { subject, where, fix: text, command, cause }) => {
      const cure = { text, ...(command === undefined ? {} : { command }) }
      const finding = { code, severity: 'blocks', certainty: 'certain', subject, title, detail, where, cure } as const
      return new PlanRefused(title, { where, fix: text, findings: [finding], blocks, cause })
    },
  }
}
