/** What tasks usually take on a small server, where it does not depend on the size of something. */
const usualMs: Readonly<Record<string, number>> = {
  imgcopy: 200,
  imgdel: 200,
  qmcreate: 250,
  qmdestroy: 1000,
  qmreboot: 1500,
  qmstart: 1300,
  qmstop: 900,
  qmtemplate: 900,
  resize: 800,
}

const soonestMs = 100
/** Of tasks that copy something: nobody knows how much. */
const unknownFirstMs = 150
/** These copy whole images, most of the time. */
const largeFirstMs: Readonly<Record<string, number>> = { download: 1500, qmconfig: 500 }
const unknownSoonestMs = 400
const slowestMs = 1000
/** The next machine waits for the end of these. */
const awaitedSlowestMs: Readonly<Record<string, number>> = { qmigrate: 300 }
/** Whoever runs beside another of its type that is looked at is likely to end with it. */
const besideSlowestMs = 5000
const besideTimes = 5
/** Tasks of minutes are looked at less often. */
const lazySlowestMs = 2000
const lazyAfterMs = 30_000

/** When to look at tasks: first when one of its type is expected to end, then so that an end is noticed soon. */
export interface TaskPace {
  /** Milliseconds after its start; `isBeside`: another of its type runs and is looked at. */
  firstLookAt(type: string, isBeside?: boolean): number
  /** Milliseconds until the next look at a task that runs for so long. */
  pauseAfter(type: string, elapsedMs: number, isBeside?: boolean): number
  /** What it takes depends on the size of something, so that it is learned from one beside it that has ended. */
  isUnknown(type: string): boolean
  /** A task was still seen running after `runningMs`, and had ended after `endedMs`. */
  learn(type: string, seen: { readonly runningMs: number; readonly endedMs: number }): void
}

/** Starts from what is usual, or from what earlier runs measured, and follows what it sees. */
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
      const pause = Math.min(slowest, Math.max(unknownSoonestMs, elapsedMs / 16))
      return isBeside ? Math.min(besideSlowestMs, pause * besideTimes) : pause
    },
    learn: (type, { runningMs, endedMs }) => {
      const usual = usualMs[type]
      if (usual === undefined) return
      // Who never looks too early never learns that it could have looked earlier.
      const ended = runningMs === 0 ? endedMs * 0.95 : (runningMs + endedMs) / 2
      expected.set(type, Math.min(ended, 2 * usual))
    },
  }
}
