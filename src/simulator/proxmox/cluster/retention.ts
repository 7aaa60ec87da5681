/** How many backups of one guest are kept: `keep-last=3,keep-daily=7`. */
export type Retention = ReadonlyMap<string, number>

export type Mark = 'keep' | 'remove' | 'protected'

export function parseRetention(text: string): Retention {
  const pairs = text
    .split(',')
    .filter(Boolean)
    .map((part): [string, number] => [part.split('=')[0] ?? '', Number(part.split('=')[1] ?? 1)])
  return new Map(pairs)
}

/** Nothing is ever removed: on request, or by default. */
export function keepsAll(retention: Retention): boolean {
  return retention.get('keep-all') === 1 || [...retention.values()].every((count) => count === 0)
}

export function printRetention(retention: Retention): string {
  return [...retention.keys()]
    .sort()
    .map((name) => `${name}=${retention.get(name) ?? 0}`)
    .join(', ')
}

/** The maximum number of backups of one guest, if nothing is removed automatically; 0 is no limit. */
export function limitOf(retention: Retention): number {
  return keepsAll(retention) ? 0 : [...retention.values()].reduce((sum, count) => sum + count, 0)
}

const day = (at: Date) => at.toISOString().slice(0, 10)

/** The periods, from fine to coarse: the newest backup of each one counts. */
const periods: readonly (readonly [string, (at: Date) => string])[] = [
  ['keep-last', (at) => String(at.getTime())],
  ['keep-hourly', (at) => at.toISOString().slice(0, 13)],
  ['keep-daily', day],
  ['keep-weekly', (at) => day(thursdayOf(at))],
  ['keep-monthly', (at) => at.toISOString().slice(0, 7)],
  ['keep-yearly', (at) => at.toISOString().slice(0, 4)],
]

/** ISO weeks belong to the year of their Thursday. */
function thursdayOf(at: Date): Date {
  const weekday = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() + (3 - weekday) * 86_400_000)
}

export interface Datable {
  /** Unix seconds. */
  readonly ctime: number
  readonly isProtected: boolean
}

/** The verdict for each backup of one guest; protected ones do not count. */
export function markBackups<T extends Datable>(backups: readonly T[], retention: Retention): Map<T, Mark> {
  const marks = new Map<T, Mark>(backups.filter(({ isProtected }) => isProtected).map((one) => [one, 'protected']))
  const newestFirst = [...backups].sort((a, b) => b.ctime - a.ctime)
  if (!keepsAll(retention))
    for (const [name, periodOf] of periods) markPeriod(newestFirst, marks, retention.get(name) ?? 0, periodOf)
  const rest: Mark = keepsAll(retention) ? 'keep' : 'remove'
  return new Map(backups.map((one) => [one, marks.get(one) ?? rest]))
}

function markPeriod<T extends Datable>(
  newestFirst: readonly T[],
  marks: Map<T, Mark>,
  count: number,
  periodOf: (at: Date) => string,
): void {
  if (count === 0) return
  const period = ({ ctime }: T) => periodOf(new Date(ctime * 1000))
  const covered = new Set(newestFirst.filter((one) => marks.get(one) === 'keep').map(period))
  const fresh = new Set<string>()
  for (const one of newestFirst) {
    if (marks.has(one) || covered.has(period(one))) continue
    if (fresh.has(period(one))) marks.set(one, 'remove')
    else if (fresh.size >= count) return
    else {
      fresh.add(period(one))
      marks.set(one, 'keep')
    }
  }
}
