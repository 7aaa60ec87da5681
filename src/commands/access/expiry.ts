import { UsageError } from '../../errors.js'

const seconds: Readonly<Record<string, number>> = { h: 3600, d: 86_400, w: 604_800 }

/** The expiry of a token, in seconds since 1970: the end of a day, or a duration from now. */
export function expiryOf(text: string, now: Date): number {
  const [, amount, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Number.NaN
  const later = now.getTime() / 1000 + Number(amount) * (seconds[unit] ?? 0)
  const expire = Math.floor(amount === undefined ? date / 1000 : later)
  if (expire > now.getTime() / 1000) return expire
  const problem = Number.isNaN(expire)
    ? `--expires must be a duration or a date, got ${JSON.stringify(text)}.`
    : `--expires ${text} is not in the future.`
  throw new UsageError(problem, { where: 'ichor access', fix: 'Write 90d, 12h or 4w, or a date such as 2027-01-31.' })
}
