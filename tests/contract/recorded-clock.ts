import { setImmediate as turn } from 'node:timers/promises'
import { type SimClock, sleepBy } from '../../src/simulator/core/clock.js'

/** A clock that stands still unless it is asked to go on: what happens in which order is the same on every computer. */
export interface RecordedClock extends SimClock {
  /** Model time passes up to that moment; what is due on the way happens in its order. */
  passTo(moment: number): Promise<void>
  /** Goes on to the next thing that waits for its time; `false` when nothing waits. */
  passToNext(): Promise<boolean>
}

interface Waiting {
  readonly due: number
  readonly run: () => void
}

/** `idle` reports when everything that runs outside of model time, such as a fetch, has ended. */
export function createRecordedClock(startAt: number, idle: () => Promise<void>): RecordedClock {
  let now = startAt
  const waiting = new Set<Waiting>()

  const after = (modelMs: number, run: () => void) => {
    const entry = { due: now + Math.max(0, modelMs), run }
    waiting.add(entry)
    return () => void waiting.delete(entry)
  }

  const findNext = () =>
    [...waiting].reduce<Waiting | undefined>((a, b) => (a === undefined || b.due < a.due ? b : a), undefined)

  const happen = async (next: Waiting) => {
    waiting.delete(next)
    now = Math.max(now, next.due)
    next.run()
    await turn()
    await idle()
  }

  return {
    speed: Number.POSITIVE_INFINITY,
    now: () => Math.round(now),
    after,
    sleep: sleepBy(after),
    stop: () => waiting.clear(),
    passTo: async (moment) => {
      await idle()
      for (let next = findNext(); next !== undefined && next.due <= moment; next = findNext()) await happen(next)
      now = Math.max(now, moment)
    },
    passToNext: async () => {
      const next = findNext()
      if (next !== undefined) await happen(next)
      return next !== undefined
    },
  }
}
