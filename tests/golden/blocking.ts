import type { GoalName } from '../../src/cluster/goal-name.js'
import type { PlanRefused } from '../../src/errors.js'
import { refusals } from '../../src/findings/refusals/index.js'
import type { GoldenCase } from './golden-case.js'

/** Codes of a refusal that are not said to block this goal; a refusal without a code blocks none. */
export function notBlocking(refused: PlanRefused | undefined, goal: GoalName): string[] {
  if (refused === undefined) return []
  if (refused.findings.length === 0) return [refused.message]
  const isBlocking = (code: string) =>
    refusals.some((refusal) => refusal.code === code && refusal.blocks.includes(goal))
  return refused.findings.flatMap(({ code }) => (isBlocking(code) ? [] : [code]))
}

export function goalNameOf({ goal }: GoldenCase): GoalName {
  return goal === 'administer' || goal === 'removeAdministration' ? 'access' : goal
}
