/** Usual task durations on a small server, where they do not depend on the size of something. */
const usualMs: Readonly<Record<string, number>> = {
  imgcopy: 160,
  imgdel: 200,
  qmcreate: 250,
  qmdestroy: 1000,
  qmreboot: 1500,
  qmstart: 1220,
  qmstop: 900,
  qmtemplate: 900,
  resize: 720,
}

const soonestMs = 100
/** For tasks that copy an unknown amount of data. */
const unknownFirstMs = 150
/** These usually copy whole images. */
const largeFirstMs: Readonly<Record<string, number>> = { download: 1500, qmconfig: 500 }
const unknownSoonestMs = 200
const slowestMs = 1000
/** The next machine waits for these tasks to end. */
const awaitedSlowestMs: Readonly<Record<string, number>> = { qmigrate: 300 }
/** A task is likely to end together with a polled one of the same type. */
const besideSlowestMs = 5000
const besideTimes = 5
/** Tasks that take minutes are polled less often. */
const lazySlowestMs = 2000
const lazyAfterMs = 30_000

/** When to poll tasks: first when one of its type is expected to end, then often enough to notice the end soon. */
export interface TaskPace {
  /** Milliseconds after its start; `isBeside`: another task of its type runs and is polled. */
  firstLookAt(type: string, isBeside?: boolean): number
  /** Milliseconds until the next poll of a task that has run this long. */
  pauseAfter(type: string, elapsedMs: number, isBeside?: boolean): number
  /** Its duration depends on the size of something, so it is learned from a parallel task that has ended. */
  isUnknown(type: string): boolean
  /** A task was still running after `runningMs`, and had ended after `endedMs`. */
  learn(type: string, seen: { readonly runningMs: number; readonly endedMs: number }): void
}

/** Starts with the usual durations, or those of earlier runs, and adapts. */
export function createTaskPace(measuredMs: Readonly<Record<string, number>> = {}): TaskPace {
  const expected = new Map(Object.entries({ ...usualMs, ...measuredMs }))

  return {
    isUnknown: (type) => !expected.has(type),
    firstLookAt: (type, isBeside = false) => {
      const ms = expected.get(type)
      if (ms !== undefined) return Math.max(soonestMs, ms)
      const first = largeFirstMs[type] ?? unknownFirstMs
      return isBeside ? first * besideTimes : first
    },
    pauseAfter: (type, elapsedMs, isBeside = false) => {
      const slowest = awaitedSlowestMs[type] ?? (elapsedMs > lazyAfterMs ? lazySlowestMs : slowestMs)
      if (expected.has(type)) return Math.min(slowest, Math.max(soonestMs, elapsedMs / 8))
      const pause = Math.min(slowest, Math.max(unknownSoonestMs, elapsedMs / 32))
      return isBeside ? Math.min(besideSlowestMs, pause * besideTimes) : pause
    },
    learn: (type, { runningMs, endedMs }) => {
      const usual = usualMs[type]
      if (usual === undefined) return
      // Without early polls, the estimate would never become shorter.
      const ended = runningMs === 0 ? endedMs * 0.95 : (runningMs + endedMs) / 2
      expected.set(type, Math.min(ended, 2 * usual))
    },
  }
}
