import { randomUUID } from 'node:crypto'
import type { Emit } from '../events.js'
import { openJournal } from '../journal/journal.js'
import type { Plan } from '../plan/plan.js'
import { createLines } from '../report/lines.js'
import { createLive } from '../report/live.js'
import { planText } from '../report/plan-text.js'
import { textStyle } from '../report/text-style.js'
import type { Context } from './frame/context.js'

export interface Reporter {
  readonly emit: Emit
  showPlan(plan: Plan): void
  end(): void
}

/** A tree on a terminal, lines elsewhere, an event a line with `--json`; and always the journal. */
export function openReporter(
  { json, folder }: { json: boolean; folder: string },
  { stdout, stderr, env }: Context,
): Reporter {
  const style = textStyle(stderr, env)
  const journal = openJournal(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`)
  const showPlan = (plan: Plan) => void stderr.write(planText(plan, style))
  if (json) {
    const emit: Emit = (event) => {
      journal.record(event)
      stdout.write(`${JSON.stringify({ version: 1, ...event })}\n`)
    }
    return { emit, showPlan, end: () => {} }
  }
  const live = stderr.isTTY === true && env.CI === undefined ? createLive(stderr, style, Date.now) : undefined
  const lines = createLines((text) => void stderr.write(text), style)
  let isOver = false
  return {
    showPlan,
    emit: (event) => {
      journal.record(event)
      if (live === undefined) lines(event)
      else live.show(event)
    },
    end: () => {
      if (!isOver) live?.end()
      isOver = true
    },
  }
}
