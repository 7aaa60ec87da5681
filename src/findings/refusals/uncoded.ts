import type { PlanRefused } from '../../errors.js'
import type { Finding } from '../finding.js'

/** Of a refusal without a code of its own. */
export const uncoded = 'ICH0311'

/** What a refusal found. */
export function findingsOf(refused: PlanRefused): readonly Finding[] {
  if (refused.findings.length > 0) return refused.findings
  const { message: title, where, fix } = refused
  const subject = { kind: 'object', name: where } as const
  const detail = 'Nothing is changed until this is solved.'
  return [
    { code: uncoded, severity: 'blocks', certainty: 'certain', subject, title, detail, where, cure: { text: fix } },
  ]
}
