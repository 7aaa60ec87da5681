import { parseUpid } from '../model/upid.js'

/** The tasks that calls already know. */
export interface HandedOut {
  add(upid: string): void
  has(upid: string): boolean
  readonly size: number
}

/** No call looks for a task that started longer ago than a call takes. */
const keptSeconds = 600

/** Records the tasks of the last minutes, by the clock of the hosts: a process that runs for weeks starts many. */
export function createSeenTasks(): HandedOut {
  const startedAt = new Map<string, number>()
  return {
    add: (upid) => {
      const now = parseUpid(upid)?.startedAt ?? 0
      startedAt.set(upid, now)
      for (const [old, started] of startedAt) if (now - started > keptSeconds) startedAt.delete(old)
    },
    has: (upid) => startedAt.has(upid),
    get size() {
      return startedAt.size
    },
  }
}
