import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Finding } from '../findings/finding.js'
import type { RunEvent } from './event.js'

const maxRuns = 10

/** The median duration of each kind of step in the last runs of this inventory; empty if there were none. */
export function typicalDurations(folder: string): ReadonlyMap<string, number> {
  const durations = new Map<string, number[]>()
  for (const file of lastJournals(join(folder, '.ichor', 'journal'))) {
    const kinds = new Map<string, string>()
    for (const event of eventsIn(file)) {
      if (event.type === 'run.started' || event.type === 'round.started')
        for (const { id, kind } of event.steps) kinds.set(id, kind)
      if (event.type !== 'step.finished' || event.outcome !== 'done') continue
      const kind = kinds.get(event.step)
      if (kind !== undefined) durations.set(kind, [...(durations.get(kind) ?? []), event.ms])
    }
  }
  return new Map([...durations].map(([kind, all]) => [kind, middleOf(all)]))
}

/** Why the last run of this inventory did not finish; `undefined` if it did, or there was none. */
export function lastProblem(folder: string): string | undefined {
  const events = lastRun(folder)
  const end = events.at(-1)
  if (end === undefined || (end.type === 'run.finished' && (end.outcome === 'done' || end.outcome === 'nothing-to-do')))
    return undefined
  const failed = events.findLast((event) => event.type === 'step.failed' && event.retryInMs === undefined)
  if (failed?.type === 'step.failed') return failed.problem
  return end.type === 'run.finished' ? `the last run was ${end.outcome}` : 'the last run was interrupted'
}

/** What the plan of that run named and did not change; the run by its ID, the beginning of it, or `last`. */
export function findingsAtRun(folder: string, run: string): readonly Finding[] | undefined {
  const journals = lastJournals(join(folder, '.ichor', 'journal'), Number.POSITIVE_INFINITY).toReversed()
  for (const path of journals) {
    if (run !== 'last' && !basename(path).startsWith(run)) continue
    const started = eventsIn(path).find((event) => event.type === 'run.started')
    if (started?.type === 'run.started' && started.plan !== undefined) return started.plan.findings
  }
  return undefined
}

/** The events of the newest run of this inventory, which may be under way. */
export function lastRun(folder: string): RunEvent[] {
  const newest = lastJournals(join(folder, '.ichor', 'journal')).at(-1)
  return newest === undefined ? [] : eventsIn(newest)
}

/** Runs have random names: the file times show which were the last. */
function lastJournals(folder: string, most = maxRuns): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
    const aged = files.map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    return aged
      .sort((one, other) => one.at - other.at)
      .slice(-most)
      .map(({ path }) => path)
  } catch {
    return []
  }
}

/** A line that was cut off by a kill is skipped. */
function eventsIn(file: string): RunEvent[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as RunEvent]
      } catch {
        return []
      }
    })
}

function middleOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
