import { UsageError } from '../../errors.js'
import type { RunEvent } from '../../events/event.js'
import { up } from '../../operations/goals.js'
import { run } from '../../operations/run.js'
import type { Session } from '../../operations/session.js'
import type { PageCluster } from '../../page/watched-cluster.js'
import { writeAccess } from '../access-files.js'
import { forgetOtherLab } from '../forget-other-lab.js'
import type { Context } from '../frame/context.js'

/**
 * Applies the plan that a person agreed to on the page, one run at a time. Resolves when the run has begun: from then
 * on it is followed through its journal. What is planned now is compared with what was agreed to once more.
 */
export function carryOut(current: () => Promise<Session>, context: Context): NonNullable<PageCluster['carryOut']> {
  let isRunning = false
  const apply = async (digest: string, signal: AbortSignal, onBegin: () => void) => {
    const session = await current()
    if (session.lab !== undefined) await forgetOtherLab(session.lab, session, session.notify)
    const { outcome } = await run(session, {
      goal: up,
      consent: { confirm: async (view) => view.goal === up.name && view.digest === digest },
      sinks: [(event) => (hasBegun(event) ? onBegin() : undefined)],
      signal,
    })
    if (outcome === 'declined')
      throw new UsageError('The plan has changed since you looked at it.', {
        where: 'ichor ui',
        fix: 'Look at the plan again.',
      })
    await writeAccess(session, context)
  }
  return async (digest, signal) => {
    if (isRunning)
      throw new UsageError('A run of this page is under way.', { where: 'ichor ui', fix: 'Wait for its end.' })
    isRunning = true
    await new Promise<void>((resolve, reject) => {
      apply(digest, signal, resolve)
        .then(resolve, reject)
        .finally(() => {
          isRunning = false
        })
    })
  }
}

/** It was agreed to: the first thing after that is its lease, which another run may hold for long. */
function hasBegun(event: RunEvent): boolean {
  return event.type === 'run.started' || (event.type === 'step.waiting' && event.step === 'lease')
}
