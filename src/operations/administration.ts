import type { ClusterSpec } from '../desired/cluster-spec.js'
import type { PlanView } from '../events/plan-view.js'
import { changedSinceShown } from '../findings/refusals/runs.js'
import type { Plan } from '../plan/plan.js'
import type { Goal } from './goals.js'
import { preview, reconcile } from './reconcile.js'
import type { Result } from './result.js'
import { openRunLog, type Sink } from './run-log.js'
import type { Session } from './session.js'
import { shownPlan } from './shown-plan.js'

interface Request {
  readonly goal: Goal
  readonly signal: AbortSignal
}

/** What an administrator would change for the cluster in the datacenter. Changes nothing. */
export async function previewAdministration(session: Session, { goal, signal }: Request): Promise<PlanView> {
  const { plan, ...basis } = await preview({ spec: specOf(session), world: session.world, goal, signal })
  return shownPlan(goal, plan, basis)
}

/** Carries out what was shown, and refuses anything else. */
export async function administer(
  session: Session,
  { goal, shown, sinks, signal }: Request & { readonly shown: PlanView; readonly sinks: readonly Sink[] },
): Promise<Result> {
  const log = openRunLog(session, sinks)
  const expected = new Set(shown.steps.map(({ id }) => id))
  const confirm = async ({ steps }: Plan) => {
    const other = steps.find(({ id }) => !expected.has(id))
    if (other === undefined) return true
    throw changedSinceShown.refuse(`Something changed after it was shown: now it would also ${other.title}.`, {
      subject: { kind: 'object', name: other.title },
      where: `cluster ${shown.cluster}`,
      fix: 'Run ichor access again.',
    })
  }
  return reconcile({
    spec: specOf(session),
    world: session.world,
    goal,
    confirm,
    run: log.run,
    emit: log.emit,
    signal,
  })
}

/** Nothing of it depends on patches and addons. */
function specOf({ inventory }: Session): Omit<ClusterSpec, 'secrets'> {
  const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }
  return { inventory, patches, addons: [], intent: {}, until: 'vms' }
}
