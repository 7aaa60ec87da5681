/** Local time. */
export interface WallTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** An instant in the local time of that time zone. */
export function wallTime(at: number, timeZone: string): WallTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') }
}

/**
 * The instants with that local time, in order: usually one, two if a clock change repeats it, none if a clock change
 * skips it.
 */
export function instantsOf({ year, month, day, hour, minute }: WallTime, timeZone: string): number[] {
  const asUtc = Date.UTC(year, month - 1, day, hour, minute)
  const offsets = [asUtc - dayMs, asUtc + dayMs].map((at) => offsetAt(at, timeZone))
  const candidates = [...new Set(offsets)].map((offset) => asUtc - offset).sort((one, other) => one - other)
  return candidates.filter((at) => at + offsetAt(at, timeZone) === asUtc)
}

const dayMs = 24 * 3600_000

/** The offset from UTC in whole minutes. */
function offsetAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute } = wallTime(at, timeZone)
  return Date.UTC(year, month - 1, day, hour, minute) - Math.floor(at / 60_000) * 60_000
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, made)
  return made
}
