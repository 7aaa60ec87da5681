import type { Advisory } from './advisory.js'
import { type Combination, combinationsOf, hasVersion, isAffected } from './combination.js'

export interface Judged {
  /** The change leads into these. */
  readonly entered: readonly Advisory[]
  /** The change leads out of these. */
  readonly left: readonly Advisory[]
}

/** What a change from the running to the wanted versions enters and leaves. */
export function judgeAdvisories(
  advisories: readonly Advisory[],
  { running, wanted, now }: { readonly running: Combination; readonly wanted: Combination; readonly now: number },
): Judged {
  const counting = advisories.filter((advisory) => counts(advisory, now))
  return {
    entered: counting.filter((advisory) => isEntered(advisory, running, wanted)),
    left: counting.filter((advisory) => runsInto(advisory, running) && !runsInto(advisory, wanted)),
  }
}

/** Those that name what runs, not a change. */
export function affecting(advisories: readonly Advisory[], running: Combination, now: number): readonly Advisory[] {
  return advisories.filter((advisory) => counts(advisory, now) && runsInto(advisory, running))
}

function counts({ until }: Advisory, now: number): boolean {
  return until === null || now < Date.parse(until)
}

function isEntered(advisory: Advisory, running: Combination, wanted: Combination): boolean {
  if (runsInto(advisory, wanted)) return !runsInto(advisory, running)
  return combinationsOf(advisory).some(
    ({ from, ...to }) => from !== undefined && hasVersion(from, running) && isAffected(to, wanted),
  )
}

function runsInto(advisory: Advisory, combination: Combination): boolean {
  return combinationsOf(advisory).some(({ from, ...to }) => from === undefined && isAffected(to, combination))
}
