/** `npm run crash -- --all` kills at every call; without it a sample of them is enough. */
const isAll = process.env.ICHOR_CRASH_ALL !== undefined

/** One call in so many. */
export function oneIn(calls: number): number {
  return isAll ? 1 : calls
}

/** At most so many kills, spread over the calls. */
export function atMost(kills: number): number {
  return isAll ? Number.POSITIVE_INFINITY : kills
}
