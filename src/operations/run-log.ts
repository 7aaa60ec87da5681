import { randomUUID } from 'node:crypto'
import { type Emit, numbered, type Report } from '../events/event.js'
import { openJournal } from '../events/journal.js'
import type { Session } from './session.js'

/** Receives every event of a run: a terminal, `--json`, a page, a webhook. */
export type Sink = Emit

/** The identity of a run and its events, which are numbered once, written to the journal, and passed to the sinks. */
export interface RunLog {
  /** The ID of the run, also in its journal and its lease. */
  readonly run: string
  readonly emit: Report
  /** A notice for the user that is not part of a step. */
  notice(text: string): void
}

/** Notices of the session are events of the run from now on. */
export function openRunLog(session: Pick<Session, 'inventory' | 'onNotice'>, sinks: readonly Sink[]): RunLog {
  const run = randomUUID()
  const name = `${new Date().toISOString().replaceAll(':', '-')}-${run.slice(0, 8)}`
  const journal = openJournal(session.inventory.folder, name)
  const emit = numbered((event) => {
    journal.record(event)
    for (const sink of sinks) sink(event)
  }, run)
  const notice = (text: string) => emit({ type: 'run.noted', at: new Date().toISOString(), severity: 'info', text })
  session.onNotice(notice)
  return { run, emit, notice }
}
