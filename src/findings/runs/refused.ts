import { defineFinding, type FindingDefinition, needsOfPlan } from '../define-finding.js'
import { becauseLost } from '../etcd/no-majority.js'
import type { Facts } from '../facts.js'
import { refusals } from '../refusals/index.js'

/** A look does not judge again: it reports what `up` would refuse. */
export const refusalFindings: readonly FindingDefinition[] = refusals.map(({ code, name, phase, blocks }) =>
  defineFinding({
    code,
    name,
    phase,
    blocks,
    severity: 'blocks',
    needs: needsOfPlan,
    find: (facts) => refusedAs(code, facts),
  }),
)

function refusedAs(wanted: FindingDefinition['code'], facts: Facts) {
  const { refused = [] } = facts
  return refused.filter(({ code }) => code === wanted).map((finding) => ({ ...finding, ...becauseLost(facts) }))
}
