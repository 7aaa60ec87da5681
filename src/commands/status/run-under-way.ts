import type { RunEvent } from '../../events/event.js'
import { progress, type StepProgress } from '../../report/progress.js'
import type { WatchedRun } from '../../report/watch-screen.js'

/** A killed run has no end in its journal: after this time without an event it is not taken for running. */
const silentMs = 120_000

/** The newest run of an inventory, if it has not ended; from its journal, so also one of another terminal. */
export function runUnderWay(events: readonly RunEvent[], now: number): WatchedRun | undefined {
  const [last, started] = [events.at(-1), events.find((event) => event.type === 'run.started')]
  if (last === undefined || started?.type !== 'run.started' || last.type === 'run.finished') return undefined
  if (now - Date.parse(last.at) > silentMs) return undefined
  const none: ReadonlyMap<string, StepProgress> = new Map()
  const steps = events.reduce((seen, event) => progress(seen, event), none)
  return { goal: started.goal, startedAt: Date.parse(started.at), steps: [...steps.values()] }
}
