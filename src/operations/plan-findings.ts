import { readAdvisories } from '../advisories/read-advisories.js'
import { unseen } from '../cluster/seen.js'
import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { Desired } from '../desired/desired.js'
import type { PlanRefused } from '../errors.js'
import { byCause } from '../findings/by-cause.js'
import type { Facts } from '../findings/facts.js'
import { findFindings } from '../findings/find-findings.js'
import type { Finding } from '../findings/finding.js'
import { findingDefinitions } from '../findings/index.js'
import type { Observed } from '../observe/observed.js'
import type { Plan } from '../plan/plan.js'

/** What a plan is made of. */
export interface PlanBasis {
  readonly spec: Pick<ClusterSpec, 'inventory' | 'addons'>
  readonly observed: Observed
  readonly desired?: Desired
}

/** What `doctor` would find in what was observed for a plan, and the plan does not change. Asks nothing. */
export async function findingsBeside({ expected }: Pick<Plan, 'expected'>, basis: PlanBasis): Promise<Finding[]> {
  const facts = await factsOf(basis)
  const left = new Set(findingsIn({ ...facts, observed: expected }).map(keyOf))
  return findingsIn(facts).filter((finding) => left.has(keyOf(finding)))
}

/** The same beside a refusal: what `up` would solve does not explain why it refuses. */
export async function findingsBesideRefusal({ findings }: PlanRefused, basis: PlanBasis): Promise<Finding[]> {
  const refused = new Set(findings.map(({ code }) => code))
  const explaining = byCause(findingsIn(await factsOf(basis))).filter(({ finding: { severity, cure } }) => {
    return severity !== 'info' && cure?.command !== 'ichor up'
  })
  return explaining.flatMap(({ finding, effects }) => [finding, ...effects]).filter(({ code }) => !refused.has(code))
}

async function factsOf({ spec: { inventory, addons }, observed, desired }: PlanBasis): Promise<Facts> {
  return {
    inventory,
    observed,
    ...(desired === undefined ? {} : { desired }),
    addons,
    advisories: await readAdvisories(inventory),
    expiries: [],
    backup: unseen('a plan does not list snapshots'),
    now: Date.now(),
  }
}

function findingsIn(facts: Facts): readonly Finding[] {
  return findFindings(findingDefinitions, facts).findings
}

function keyOf({ code, subject }: Finding): string {
  return `${code} ${subject.name}`
}
