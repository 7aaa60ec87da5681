import { UsageError } from '../../errors.js'
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
  return async (digest, signal) => {
    if (isRunning)
      throw new UsageError('A run of this page is under way.', { where: 'ichor ui', fix: 'Wait for its end.' })
    const session = await current()
    if (session.lab !== undefined) await forgetOtherLab(session.lab, session, session.notify)
    isRunning = true
    await new Promise<void>((resolve, reject) => {
      const ended = run(session, {
        goal: up,
        consent: { confirm: async (view) => view.goal === up.name && view.digest === digest },
        sinks: [
          (event) => {
            if (event.type === 'run.started') resolve()
          },
        ],
        signal,
      })
      ended
        .then(({ outcome }) => {
          if (outcome !== 'declined') return writeAccess(session, context).then(() => resolve())
          throw new UsageError('The plan has changed since you looked at it.', {
            where: 'ichor ui',
            fix: 'Look at the plan again.',
          })
        })
        .catch(reject)
        .finally(() => {
          isRunning = false
        })
    })
  }
}
