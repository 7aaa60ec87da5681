import { randomUUID } from 'node:crypto'
import { type NewEvent, numbered, type Report } from '../events.js'
import { typicalDurations } from '../journal/history.js'
import { openJournal } from '../journal/journal.js'
import type { Plan } from '../plan/plan.js'
import { createLines } from '../report/lines.js'
import { createLive } from '../report/live.js'
import type { PlanFacts } from '../report/plan/machine-rows.js'
import { planText } from '../report/plan/plan-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import type { Context } from './frame/context.js'

export interface Reporter {
  /** The ID of the run. */
  readonly run: string
  /** Renumbers events, because notices are inserted between those of the run. */
  readonly emit: Report
  /** `stepsHint` is the command that lists the steps. */
  showPlan(plan: Plan, facts: PlanFacts, stepsHint?: string): void
  /** A notice for the user that is not part of a step. */
  notice(text: string): void
  end(): void
}

/** A tree on a terminal, lines elsewhere, one event per line with `--json`; and always the journal. */
export function openReporter(
  { json, folder, speed = 1 }: { json: boolean; folder: string; speed?: number | undefined },
  { stdout, stderr, env }: Context,
): Reporter {
  const style = textStyle(stderr, env)
  const run = randomUUID()
  const journal = openJournal(folder, `${new Date().toISOString().replaceAll(':', '-')}-${run.slice(0, 8)}`)
  // A lab has its own clock; durations are always shown in real time.
  const expected = new Map([...typicalDurations(folder)].map(([kind, ms]) => [kind, ms / speed]))
  const showPlan = (plan: Plan, facts: PlanFacts, stepsHint = 'ichor plan --steps') => {
    const layout = { style, width: widthOf(stderr), expected, stepsHint }
    stderr.write(`${planText(plan, facts, layout)}\n`)
  }
  if (json) {
    const emit = numbered((event) => {
      journal.record(event)
      stdout.write(`${JSON.stringify({ version: 1, ...event })}\n`)
    }, run)
    return { run, emit, showPlan, notice: (text) => emit(noted(text)), end: () => {} }
  }
  const live = !style.isPlain && env.CI === undefined ? createLive(stderr, style, Date.now, expected) : undefined
  const lines = createLines((text) => void stderr.write(text), style, speed)
  let isOver = false
  const emit = numbered((event) => {
    journal.record(event)
    if (live === undefined) lines(event)
    else live.show(event)
  }, run)
  return {
    run,
    showPlan,
    emit,
    notice: (text) => emit(noted(text)),
    end: () => {
      if (!isOver) live?.end()
      isOver = true
    },
  }
}

function noted(text: string): NewEvent {
  return { type: 'run.noted', at: new Date().toISOString(), severity: 'info', text }
}
