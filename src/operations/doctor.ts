import { examine } from '../examine/examine.js'
import type { Facts } from '../findings/facts.js'
import { type Examination, findFindings } from '../findings/find-findings.js'
import { findingDefinitions } from '../findings/index.js'
import { readOnly } from '../read-only.js'
import type { Session } from './session.js'
import { type FactsBeside, type Look, look } from './status/look.js'

/** Everything that was seen of a cluster, and what follows from it. */
export interface Inspection extends Look {
  readonly examination: Examination
}

/** Everything that does not fit, with what it is found in. Changes nothing. */
export async function inspect(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  beside: Promise<FactsBeside>,
  signal: AbortSignal,
): Promise<Inspection> {
  const { facts: seen, verdict } = await look(session, beside, signal)
  const examined = await examine(seen.inventory, seen.observed, readOnly(session.world), signal)
  const facts: Facts = { ...seen, examined, now: Date.now() }
  return { facts, verdict, examination: findFindings(findingDefinitions, facts) }
}
