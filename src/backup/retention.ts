import { wallTime } from './wall-time.js'

/** How many snapshots are kept: the newest, and the last one of each day, week and month. */
export interface Retention {
  readonly last: number
  readonly daily: number
  readonly weekly: number
  readonly monthly: number
}

/** The facts about a snapshot that retention uses. */
export interface RetainedSnapshot {
  readonly name: string
  /** ISO 8601. */
  readonly takenAt: string
  /** A drill of it has passed. */
  readonly isDrilled: boolean
}

export interface RetentionVerdict {
  readonly keep: readonly { readonly name: string; readonly because: string }[]
  readonly remove: readonly string[]
}

/**
 * Which snapshots are kept, and why. The input must be good ones only: a damaged one must not replace another. The
 * newest and the newest drilled one are always kept, whatever the numbers.
 */
export function applyRetention(
  snapshots: readonly RetainedSnapshot[],
  retention: Retention,
  timeZone: string,
): RetentionVerdict {
  const newestFirst = [...snapshots].sort((one, other) => Date.parse(other.takenAt) - Date.parse(one.takenAt))
  const reasons = new Map<string, string[]>()
  const keep = (name: string, because: string) => reasons.set(name, [...(reasons.get(name) ?? []), because])

  for (const { name } of newestFirst.slice(0, retention.last)) keep(name, 'last')
  for (const period of ['daily', 'weekly', 'monthly'] as const) {
    for (const { name } of lastOfEach(newestFirst, period, retention[period], timeZone)) keep(name, period)
  }
  const [newest] = newestFirst
  if (newest !== undefined && !reasons.has(newest.name)) keep(newest.name, 'newest')
  const drilled = newestFirst.find(({ isDrilled }) => isDrilled)
  if (drilled !== undefined && !reasons.has(drilled.name)) keep(drilled.name, 'last drilled')
  return {
    keep: newestFirst.flatMap(({ name }) => {
      const because = reasons.get(name)
      return because === undefined ? [] : [{ name, because: because.join(', ') }]
    }),
    remove: newestFirst.flatMap(({ name }) => (reasons.has(name) ? [] : [name])),
  }
}

/** The newest of each of the last `count` periods that have one. */
function lastOfEach(
  newestFirst: readonly RetainedSnapshot[],
  period: 'daily' | 'weekly' | 'monthly',
  count: number,
  timeZone: string,
): RetainedSnapshot[] {
  const found = new Map<string, RetainedSnapshot>()
  for (const snapshot of newestFirst) {
    if (found.size >= count) break
    const id = periodOf(Date.parse(snapshot.takenAt), period, timeZone)
    if (!found.has(id)) found.set(id, snapshot)
  }
  return [...found.values()]
}

function periodOf(at: number, period: 'daily' | 'weekly' | 'monthly', timeZone: string): string {
  const { year, month, day } = wallTime(at, timeZone)
  if (period === 'monthly') return `${year}-${month}`
  if (period === 'daily') return `${year}-${month}-${day}`
  const date = new Date(Date.UTC(year, month - 1, day))
  const monday = day - ((date.getUTCDay() + 6) % 7)
  return new Date(Date.UTC(year, month - 1, monday)).toISOString().slice(0, 10)
}
