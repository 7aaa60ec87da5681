import { readAdvisories } from '../../advisories/read-advisories.js'
import { PlanRefused } from '../../errors.js'
import { lastProblem } from '../../events/history.js'
import { examineAlarms } from '../../examine/examine-alarms.js'
import type { Facts } from '../../findings/facts.js'
import { changesOf, type Plan } from '../../plan/plan.js'
import { readOnly } from '../../read-only.js'
import { survey } from '../reconcile.js'
import type { Session } from '../session.js'
import { specOf } from '../spec/spec-of.js'
import { findUnreadableSecrets } from './unreadable-secrets.js'

/** Facts that are not read from the cluster. */
export type FactsBeside = Pick<Facts, 'expiries' | 'backup'>

export interface Look {
  /** Without what only a doctor examines. */
  readonly facts: Facts
  /** The plan of `up`, or why there is none. */
  readonly verdict: Plan | PlanRefused
}

/** What is wanted and what is, also if the plan is refused. Changes nothing. */
export async function look(
  session: Pick<Session, 'inventory' | 'world' | 'env' | 'lab'>,
  beside: Promise<FactsBeside>,
  signal: AbortSignal,
): Promise<Look> {
  const world = readOnly(session.world)
  const surveyed = specOf(session).then(async (spec) => ({ spec, ...(await survey({ spec, world, signal })) }))
  const [{ spec, observed, inventory, verdict }, known] = await Promise.all([surveyed, beside])
  const [unreadable, alarms, advisories] = await Promise.all([
    findUnreadableSecrets(observed, world, signal),
    examineAlarms(observed, world, signal),
    readAdvisories(inventory),
  ])
  const last = lastProblem(session.inventory.folder)
  const facts: Facts = {
    ...known,
    inventory,
    observed,
    addons: spec.addons,
    unreadable,
    advisories,
    ...(alarms === undefined ? {} : { alarms }),
    ...(last === undefined ? {} : { lastProblem: last }),
    ...(verdict instanceof PlanRefused ? { refused: verdict.findings } : { pending: changesOf(verdict) }),
    now: Date.now(),
  }
  return { facts, verdict }
}
