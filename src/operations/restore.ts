import type { DesiredRestore } from '../desired/desired.js'
import { Incomplete } from '../errors.js'
import type { SnapshotsPort } from '../world.js'
import { removeLeftDrill } from './drill/left-drill.js'
import { restoreFrom, up } from './goals.js'
import type { Result } from './result.js'
import { carryOut, type RunRequest } from './run.js'
import { openRunLog } from './run-log.js'
import type { Session } from './session.js'

export interface RestoreRequest extends Pick<RunRequest, 'forceUnlock' | 'accept' | 'consent' | 'sinks' | 'signal'> {
  readonly restore: Omit<DesiredRestore, 'run'>
  readonly snapshots: SnapshotsPort
  /** For the `up` that follows. */
  readonly consentToUp: RunRequest['consent']
}

/** One run with two goals: the first only restores etcd, the second is an ordinary `up`. */
export async function restoreEtcd(
  session: Session,
  { restore, snapshots, consentToUp, sinks, ...request }: RestoreRequest,
): Promise<Result> {
  const log = openRunLog(session, sinks)
  await removeLeftDrill(session, log, request)
  const own = { ...session, world: { ...session.world, snapshots } }
  const goal = restoreFrom({ ...restore, run: log.run })
  const restored = await carryOut(own, log, { ...request, goal }).catch(goOnIfIncomplete)
  if (restored.outcome === 'declined') return restored
  const result = await carryOut(own, log, { ...request, goal: up, consent: consentToUp })
  const outcome = result.outcome === 'declined' ? 'declined' : 'done'
  return { outcome, changed: restored.changed + result.changed }
}

/**
 * etcd is restored, but machines that were given up are still missing: `up` does what is possible, and reports the
 * rest.
 */
function goOnIfIncomplete(thrown: unknown): Result {
  if (!(thrown instanceof Incomplete)) throw thrown
  return { outcome: 'incomplete', changed: 0 }
}
