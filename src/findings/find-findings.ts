import type { FindingDefinition, Need } from './define-finding.js'
import type { Facts } from './facts.js'
import type { Finding, Severity, Unknown } from './finding.js'
import { unknownNeeds } from './unknown-needs.js'

export interface Examination {
  /** The worst first, in the order in which they are solved. */
  readonly findings: readonly Finding[]
  /** What could not be seen: findings that depend on it may be missing. */
  readonly unknown: readonly Unknown[]
}

/** Everything that does not fit in what was seen, and what could not be judged. Pure. */
export function findFindings(definitions: readonly FindingDefinition[], facts: Facts): Examination {
  const findings = definitions.flatMap((definition) => casesOf(definition, facts))
  const needs = new Set<Need>(definitions.flatMap((definition) => definition.needs))
  const bySeverity = ({ severity: one }: Finding, { severity: other }: Finding) => rank[one] - rank[other]
  return { findings: findings.toSorted(bySeverity), unknown: unknownNeeds(needs, facts) }
}

function casesOf({ code, severity, certainty, find }: FindingDefinition, facts: Facts): Finding[] {
  return [...find(facts)].map((found) => ({ code, certainty, ...found, severity: found.severity ?? severity }))
}

const rank: Readonly<Record<Severity, number>> = { blocks: 0, warns: 1, info: 2 }
