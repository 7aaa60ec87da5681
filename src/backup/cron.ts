import { instantsOf, wallTime } from './wall-time.js'

interface CronSchedule {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  /** At intervals instead of fixed hours: then an hour that occurs twice counts twice. */
  readonly isPeriodic: boolean
  /** Decides by date. */
  isDay(year: number, month: number, day: number): boolean
}

const ranges = { minute: [0, 59], hour: [0, 23], day: [1, 31], month: [1, 12], weekday: [0, 7] } as const
/** Longer than any schedule waits: 29 February can be eight years away. */
const maxDays = 366 * 9

/**
 * The last scheduled instant at or before `now`; `undefined` if there is none. A time that a clock change skips runs at
 * the next existing minute; a time that occurs twice runs once.
 */
export function lastDue(schedule: string, timeZone: string, now: number): number | undefined {
  const cron = parseCron(schedule)
  const today = wallTime(now, timeZone)
  for (let back = 0; back <= maxDays; back++) {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day - back))
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    if (!cron.isDay(year, month, day)) continue
    const due = instantsOfDay(cron, { year, month, day }, timeZone).filter((at) => at <= now)
    if (due.length > 0) return Math.max(...due)
  }
  return undefined
}

/** The next scheduled instant after `now`; `undefined` if there is none. */
export function nextDue(schedule: string, timeZone: string, now: number): number | undefined {
  const cron = parseCron(schedule)
  const today = wallTime(now, timeZone)
  for (let ahead = 0; ahead <= maxDays; ahead++) {
    const date = new Date(Date.UTC(today.year, today.month - 1, today.day + ahead))
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    if (!cron.isDay(year, month, day)) continue
    const due = instantsOfDay(cron, { year, month, day }, timeZone).filter((at) => at > now)
    if (due.length > 0) return Math.min(...due)
  }
  return undefined
}

/** Whether a scheduled time has passed since the last snapshot. */
export function isDue(
  { schedule, timeZone, last }: { schedule: string; timeZone: string; last: number | undefined },
  now: number,
): boolean {
  const due = lastDue(schedule, timeZone, now)
  return due !== undefined && (last === undefined || last < due)
}

function instantsOfDay(
  { hours, minutes, isPeriodic }: CronSchedule,
  date: { year: number; month: number; day: number },
  timeZone: string,
): number[] {
  return [...hours].flatMap((hour) =>
    [...minutes].flatMap((minute) => {
      const [first, ...again] = instantsOf({ ...date, hour, minute }, timeZone)
      if (first === undefined) return [afterGap({ ...date, hour, minute }, timeZone)]
      return isPeriodic ? [first, ...again] : [first]
    }),
  )
}

/** The time is skipped by a clock change: the first minute after the gap. */
function afterGap(
  wanted: { year: number; month: number; day: number; hour: number; minute: number },
  timeZone: string,
): number {
  const asUtc = Date.UTC(wanted.year, wanted.month - 1, wanted.day, wanted.hour, wanted.minute)
  for (let minutes = 1; minutes <= 24 * 60; minutes++) {
    const later = wallTime(asUtc + minutes * 60_000, 'UTC')
    const [first] = instantsOf(later, timeZone)
    if (first !== undefined) return first
  }
  return asUtc
}

/** As in cron: with both a day of the month and a weekday, either matches. */
function parseCron(text: string): CronSchedule {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = text.trim().split(/\s+/)
  const days = valuesOf(day, ranges.day)
  const months = valuesOf(month, ranges.month)
  const weekdays = new Set([...valuesOf(weekday, ranges.weekday)].map((value) => value % 7))
  const isEither = !day.startsWith('*') && !weekday.startsWith('*')
  return {
    minutes: valuesOf(minute, ranges.minute),
    hours: valuesOf(hour, ranges.hour),
    isPeriodic: hour.startsWith('*'),
    isDay: (year, inMonth, inDay) => {
      if (!months.has(inMonth)) return false
      const [isDate, isWeekday] = [
        days.has(inDay),
        weekdays.has(new Date(Date.UTC(year, inMonth - 1, inDay)).getUTCDay()),
      ]
      return isEither ? isDate || isWeekday : isDate && isWeekday
    },
  }
}

/** A list of `*`, `5`, `1-5`, each with an optional step `/2`. Already validated by the inventory. */
function valuesOf(field: string, [least, most]: readonly [number, number]): Set<number> {
  return new Set(
    field.split(',').flatMap((part) => {
      const [range = '*', step = '1'] = part.split('/')
      const [from = '', to] = range === '*' ? [String(least), String(most)] : range.split('-')
      const last = to ?? (part.includes('/') ? String(most) : from)
      const count = Math.max(0, Math.floor((Number(last) - Number(from)) / Number(step)) + 1)
      return Array.from({ length: count }, (_, index) => Number(from) + index * Number(step))
    }),
  )
}
