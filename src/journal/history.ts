import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent } from '../events.js'

const mostRuns = 10

/** How long each kind of step took in the last runs of this inventory, in the middle; nothing when there were none. */
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

function lastJournals(folder: string): string[] {
  try {
    const files = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
    return files.slice(-mostRuns).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** A line that a kill cut off is passed over. */
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
