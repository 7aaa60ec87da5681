import { PlanRefused } from '../errors.js'
import type { Measurement } from '../metrics/measurement.js'
import { inspect } from './doctor.js'
import type { Session } from './session.js'
import type { FactsBeside } from './status/look.js'

/** A cluster as the doctor sees it, with the plan. Changes nothing. */
export async function measure(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  beside: Promise<FactsBeside>,
  signal: AbortSignal,
): Promise<Measurement> {
  const { facts, examination, verdict } = await inspect(session, beside, signal)
  return {
    cluster: session.inventory.settings.cluster_name,
    seen: { facts, examination, ...(verdict instanceof PlanRefused ? {} : { plan: verdict }) },
  }
}
