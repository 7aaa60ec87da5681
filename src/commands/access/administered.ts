import type { RunEvent } from '../../events/event.js'
import type { PlanView } from '../../events/plan-view.js'
import { administer, previewAdministration } from '../../operations/administration.js'
import type { Goal } from '../../operations/goals.js'
import type { Session } from '../../operations/session.js'
import type { Context } from '../frame/context.js'

/** What only an administrator may write for the cluster: shown first, and carried out after the confirmation. */
export interface Administered {
  /** One line for each change. */
  readonly changes: readonly string[]
  /** What to know before it. */
  readonly notes: readonly string[]
  /** Returns what was done. */
  carryOut(): Promise<string[]>
}

export async function administered(goal: Goal, session: Session, { stderr, signal }: Context): Promise<Administered> {
  const shown = await previewAdministration(session, { goal, signal })
  const titles = new Map(shown.steps.map(({ id, title }) => [id, title]))
  return {
    changes: shown.steps.map(({ title }) => title),
    notes: shown.steps.length === 0 ? [] : notesOf(shown),
    carryOut: async () => {
      if (shown.steps.length === 0) return []
      const done: string[] = []
      const sink = (event: RunEvent) => {
        const title = 'step' in event ? titles.get(event.step) : undefined
        if (title === undefined) return
        if (event.type === 'step.started') stderr.write(`${title}\n`)
        if (event.type === 'step.finished' && event.outcome === 'done') done.push(title)
      }
      await administer(session, { goal, shown, signal, sinks: [sink] })
      return done
    },
  }
}

/** Its differences are for a run of the cluster. */
function notesOf({ notes, differences }: PlanView): string[] {
  return notes.filter((note) => !differences.includes(note))
}
