import type { PlanView } from '../events/plan-view.js'
import { noteText } from '../findings/notes/define-note.js'
import { checkLock } from '../lock/check-lock.js'
import { createDigester } from '../plan/digest.js'
import type { Plan } from '../plan/plan.js'
import { checkAdvice } from './advise.js'
import { inventoryDigests } from './approved-inventory.js'
import {
  type ApprovedPlan,
  refuseChangedInventory,
  refuseExpired,
  refuseMovedWorld,
  refuseUnsealed,
  useOnce,
} from './approved-plan.js'
import type { WantedChange } from './change/wanted-change.js'
import { removeLeftDrill } from './drill/left-drill.js'
import { type Goal, limited } from './goals.js'
import { type Reconcile, reconcile } from './reconcile.js'
import type { Result } from './result.js'
import { openRunLog, type RunLog, type Sink } from './run-log.js'
import type { Session } from './session.js'
import { type RunLimits, specOf } from './spec/spec-of.js'

/** Asked before the first change; also, with the goal `clean-up`, before what a killed drill left is removed. */
export interface Consent {
  confirm(view: PlanView, signal: AbortSignal): Promise<boolean>
}

type Wanted = Pick<WantedChange, 'spec'> & Partial<WantedChange>

export interface RunRequest {
  readonly goal: Goal
  /** How far to go, and what may be done on the way. */
  readonly limits?: RunLimits
  /** What is wanted besides the inventory. Receives the ID of the run, which marks record. */
  want?(run: string): Promise<Wanted>
  readonly approved?: ApprovedPlan | undefined
  readonly forceUnlock?: boolean
  /** IDs of advisories that the user accepts. */
  readonly accept?: readonly string[]
  readonly consent: Consent
  /** Asked between rounds and before each machine: a reason pauses the run. */
  readonly mayBegin?: () => Promise<string | undefined>
  readonly sinks: readonly Sink[]
  readonly signal: AbortSignal
}

/** The only place that carries a goal out: it owns the ID of the run, its journal, notes, pins, left drills and lease. */
export async function run(session: Session, request: RunRequest): Promise<Result> {
  const log = openRunLog(session, request.sinks)
  if (request.approved === undefined) await removeLeftDrill(session, log, request)
  return carryOut(session, log, request)
}

/** One goal of a run that may have several. */
export async function carryOut(
  session: Session,
  log: RunLog,
  {
    goal,
    limits,
    want,
    approved,
    forceUnlock = false,
    accept = [],
    consent,
    mayBegin,
    signal,
  }: Omit<RunRequest, 'sinks'>,
): Promise<Result> {
  const { world } = session
  if (approved !== undefined) await refuseOthers(approved, session)
  const { spec, limit, check, write }: Wanted =
    want === undefined ? { spec: await specOf(session, limits) } : await want(log.run)
  const confirm: Reconcile['confirm'] = async (plan, facts) => {
    await check?.(facts)
    if (goal.name === 'up' || goal.name === 'cure') await checkAdvice({ spec, ...facts }, accept)
    await checkLock({ spec, plan, factory: world.factory, isLab: session.lab !== undefined, signal })
    if (approved !== undefined) refuseMovedWorld(approved, plan, spec.until !== 'healthy')
    reportNotes(plan, log)
    if (!(await consent.confirm(facts.view, signal))) return false
    await write?.()
    return true
  }
  const result = await reconcile({
    spec,
    world,
    goal: limit === undefined ? goal : limited(goal, limit),
    run: log.run,
    emit: log.emit,
    signal,
    forceUnlock,
    ...(mayBegin === undefined ? {} : { mayBegin }),
    ...(approved?.seal === null ? { digest: 'plain' as const } : {}),
    ...(approved === undefined
      ? {}
      : { onLease: async (lease) => useOnce(approved, lease, await world.secrets.find(), signal) }),
    confirm,
  })
  if (result.outcome === 'nothing-to-do') await write?.()
  // The token did reach the hosts that are meant.
  if (result.outcome === 'done' || result.outcome === 'nothing-to-do') await session.keepBinding()
  return result
}

/** Before the first request: another inventory may send the token to another Proxmox. */
async function refuseOthers(approved: ApprovedPlan, { inventory, world, lab }: Session): Promise<void> {
  const secrets = await world.secrets.find()
  refuseUnsealed(approved, secrets)
  refuseExpired(approved, Date.now())
  const digester = createDigester(secrets?.bundle.cluster)
  refuseChangedInventory(approved, await inventoryDigests(inventory, digester, { isLab: lab !== undefined }))
}

/** A terminal shows them with the plan. */
function reportNotes({ notes }: Plan, { emit }: RunLog): void {
  for (const text of notes.map(noteText))
    emit({ type: 'run.noted', at: new Date().toISOString(), severity: 'warning', text, isInPlan: true })
}
