import { randomUUID } from 'node:crypto'
import type { Emit, RunEvent } from '../events.js'
import { typicalDurations } from '../journal/history.js'
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
  /** Something that the user should know and that no step says. */
  notice(text: string): void
  end(): void
}

/** A tree on a terminal, lines elsewhere, an event a line with `--json`; and always the journal. */
export function openReporter(
  { json, folder }: { json: boolean; folder: string },
  { stdout, stderr, env }: Context,
): Reporter {
  const style = textStyle(stderr, env)
  const journal = openJournal(folder, `${new Date().toISOString().replaceAll(':', '-')}-${randomUUID().slice(0, 8)}`)
  const showPlan = (plan: Plan) => void stderr.write(planText(plan, style, stderr.columns))
  if (json) {
    const emit: Emit = (event) => {
      journal.record(event)
      stdout.write(`${JSON.stringify({ version: 1, ...event })}\n`)
    }
    return { emit, showPlan, notice: (text) => emit(noted(text)), end: () => {} }
  }
  const live =
    stderr.isTTY === true && env.CI === undefined
      ? createLive(stderr, style, Date.now, typicalDurations(folder))
      : undefined
  const lines = createLines((text) => void stderr.write(text), style)
  let isOver = false
  const emit: Emit = (event) => {
    journal.record(event)
    if (live === undefined) lines(event)
    else live.show(event)
  }
  return {
    showPlan,
    emit,
    notice: (text) => emit(noted(text)),
    end: () => {
      if (!isOver) live?.end()
      isOver = true
    },
  }
}

function noted(text: string): RunEvent {
  return { type: 'run.noted', at: new Date().toISOString(), severity: 'info', text }
}
