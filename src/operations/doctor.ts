import { readAdvisories } from '../advisories/read-advisories.js'
import { PlanRefused } from '../errors.js'
import { examine } from '../examine/examine.js'
import type { Facts } from '../findings/facts.js'
import { type Examination, findFindings } from '../findings/find-findings.js'
import { findingDefinitions } from '../findings/index.js'
import { findingsOf } from '../findings/refusals/uncoded.js'
import type { Plan } from '../plan/plan.js'
import { readOnly } from '../read-only.js'
import type { Session } from './session.js'
import { look } from './status/look.js'

/** Facts that are not read from the cluster. */
export type FactsBeside = Pick<Facts, 'expiries' | 'backup'>

/** Everything that was seen of a cluster, and what follows from it. */
export interface Inspection {
  readonly facts: Facts
  readonly examination: Examination
  /** The plan of `up`, or why there is none. */
  readonly verdict: Plan | PlanRefused
  /** What the inventory wants. */
  readonly wanted: Awaited<ReturnType<typeof look>>['wanted']
}

/** Everything that does not fit. Changes nothing. */
export async function diagnose(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  beside: Promise<FactsBeside>,
  signal: AbortSignal,
): Promise<Examination> {
  return (await inspect(session, beside, signal)).examination
}

/** The same, with what it is found in. */
export async function inspect(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  beside: Promise<FactsBeside>,
  signal: AbortSignal,
): Promise<Inspection> {
  const [{ observed, inventory, verdict, wanted }, known] = await Promise.all([look(session, signal), beside])
  const { lastProblem, addons, unreadable } = wanted
  const facts: Facts = {
    ...known,
    inventory,
    observed,
    addons,
    unreadable,
    advisories: await readAdvisories(inventory),
    examined: await examine(inventory, observed, readOnly(session.world), signal),
    ...(lastProblem === undefined ? {} : { lastProblem }),
    ...(verdict instanceof PlanRefused ? { refused: findingsOf(verdict) } : {}),
    now: Date.now(),
  }
  return { facts, verdict, wanted, examination: findFindings(findingDefinitions, facts) }
}
