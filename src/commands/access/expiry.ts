import { UsageError } from '../../errors.js'

const secondsPerDay = 86_400

/** When a token stops working, in seconds since 1970: the end of a day, or a number of days from now. */
export function expiryOf(text: string, now: Date): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Number.NaN
  const expire = Math.floor(days === undefined ? date / 1000 : now.getTime() / 1000 + Number(days) * secondsPerDay)
  if (expire > now.getTime() / 1000) return expire
  const problem = Number.isNaN(expire)
    ? `--expires must be a date or a number of days, got ${JSON.stringify(text)}.`
    : `--expires ${text} is not in the future.`
  throw new UsageError(problem, { where: 'ichor access', fix: 'Write a date such as 2027-01-31, or 90d.' })
}
