import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder } from '../make-folder.js'
import type { RunEvent } from './event.js'

/** The run's events on disk, one per line. It is only history, so a full disk never stops a run. */
export function openJournal(folder: string, run: string): { record(event: RunEvent): void; readonly file: string } {
  const file = join(folder, '.ichor', 'journal', `${run}.jsonl`)
  let isBroken = false
  try {
    makeOwnFolder(folder, 'journal')
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
