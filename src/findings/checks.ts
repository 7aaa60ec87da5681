import type { FindingDefinition } from './define-finding.js'
import type { Facts } from './facts.js'
import type { Examination } from './find-findings.js'
import { unknownNeeds } from './unknown-needs.js'

export type CheckResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string }
  /** What it depends on could not be seen. */
  | { readonly skipped: string }

/** A finding as a check, which passes if nothing was found. */
export interface CheckedFinding {
  readonly name: string
  readonly code: string
  readonly result: CheckResult
}

/** One check for each finding of a look. What is only a note passes. */
export function checksOf(
  definitions: readonly FindingDefinition[],
  facts: Facts,
  { findings }: Examination,
): CheckedFinding[] {
  return definitions
    .filter(({ phase }) => phase === 'look')
    .map(({ code, name, needs }) => {
      const titles = findings.filter((one) => one.code === code && one.severity !== 'info').map(({ title }) => title)
      const [unseen] = unknownNeeds(new Set(needs), facts)
      const result: CheckResult =
        titles.length > 0
          ? { ok: false, reason: titles.join(' ') }
          : unseen === undefined
            ? { ok: true }
            : { skipped: `${unseen.what}: ${unseen.why}` }
      return { name, code, result }
    })
}
