import type { Emit } from '../events/event.js'
import { typicalDurations } from '../events/history.js'
import type { PlanView } from '../events/plan-view.js'
import { createLines } from '../report/lines.js'
import { createLive } from '../report/live.js'
import { planText } from '../report/plan/plan-text.js'
import { widthOf } from '../report/screen-width.js'
import { textStyle } from '../report/text-style.js'
import type { Context } from './frame/context.js'

export interface Reporter {
  /** Shows the events of a run. */
  readonly sink: Emit
  /** `stepsHint` is the command that lists the steps. With `--json` nothing: the events describe the steps. */
  showPlan(plan: PlanView, stepsHint?: string): void
  end(): void
}

/** A tree on a terminal, lines elsewhere, one event per line with `--json`. */
export function openReporter(
  { json, folder, speed = 1 }: { json: boolean; folder: string; speed?: number | undefined },
  { stdout, stderr, env }: Context,
): Reporter {
  if (json) {
    const sink: Emit = (event) => void stdout.write(`${JSON.stringify({ version: 1, ...event })}\n`)
    return { sink, showPlan: () => {}, end: () => {} }
  }
  const style = textStyle(stderr, env)
  // A lab has its own clock; durations are always shown in real time.
  const expected = new Map([...typicalDurations(folder)].map(([kind, ms]) => [kind, ms / speed]))
  const live = !style.isPlain && env.CI === undefined ? createLive(stderr, style, Date.now, expected) : undefined
  const lines = createLines((text) => void stderr.write(text), style, speed)
  let isOver = false
  return {
    showPlan: (plan, stepsHint = 'ichor plan --steps') => {
      const layout = { style, width: widthOf(stderr), expected, stepsHint }
      stderr.write(`${planText(plan, layout)}\n`)
    },
    sink: (event) => {
      if (event.type === 'run.noted' && event.isInPlan) return
      if (live === undefined) lines(event)
      else live.show(event)
    },
    end: () => {
      if (!isOver) live?.end()
      isOver = true
    },
  }
}
