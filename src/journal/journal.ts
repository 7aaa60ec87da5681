import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent } from '../events.js'

/** The run's events on disk, one per line. It is only history, so a full disk never stops a run. */
export function openJournal(folder: string, run: string): { record(event: RunEvent): void; readonly file: string } {
  const file = join(folder, '.ichor', 'journal', `${run}.jsonl`)
  let isBroken = false
  try {
    mkdirSync(join(folder, '.ichor', 'journal'), { recursive: true, mode: 0o700 })
  } catch {
    isBroken = true
  }
  return {
    file,
    record: (event) => {
      if (isBroken) return
      try {
        appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 })
      } catch {
        isBroken = true
      }
    },
  }
}
