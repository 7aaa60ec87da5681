import { lastDue, nextDue } from '../backup/cron.js'

/** A time in which acting is allowed: it begins by a schedule and lasts that long. */
export interface Window {
  readonly cron: string
  /** Milliseconds. */
  readonly for: number
  readonly time_zone: string
}

/** When the window that is open now ends, in milliseconds since 1970; `undefined` if none is. Without windows it is always open. */
export function openUntil(windows: readonly Window[], now: number): number | undefined {
  if (windows.length === 0) return Number.POSITIVE_INFINITY
  const ends = windows.flatMap(({ cron, for: ms, time_zone }) => {
    const began = lastDue(cron, time_zone, now)
    return began === undefined || began + ms <= now ? [] : [began + ms]
  })
  return ends.length === 0 ? undefined : Math.max(...ends)
}

/** When the next window begins, in milliseconds since 1970; `undefined` without windows. */
export function opensNext(windows: readonly Window[], now: number): number | undefined {
  const begins = windows.flatMap(({ cron, time_zone }) => nextDue(cron, time_zone, now) ?? [])
  return begins.length === 0 ? undefined : Math.min(...begins)
}
