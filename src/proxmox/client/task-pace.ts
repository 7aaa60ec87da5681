/** What tasks usually take on a small server, where it does not depend on the size of something. */
const usualMs: Readonly<Record<string, number>> = {
  imgcopy: 200,
  imgdel: 200,
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
const unknownSoonestMs = 250
const slowestMs = 1000
/** Tasks of minutes are looked at less often. */
const lazySlowestMs = 2000
const lazyAfterMs = 30_000

/** When to look at tasks: first when one of its type is expected to end, then so that an end is noticed soon. */
export interface TaskPace {
  /** Milliseconds after its start. */
  firstLookAt(type: string): number
  /** Milliseconds until the next look at a task that runs for so long. */
  pauseAfter(type: string, elapsedMs: number): number
  /** A task was still seen running after `runningMs`, and had ended after `endedMs`. */
  learn(type: string, seen: { readonly runningMs: number; readonly endedMs: number }): void
}

/** Starts from what is usual, or from what earlier runs measured, and follows what it sees. */
export function createTaskPace(measuredMs: Readonly<Record<string, number>> = {}): TaskPace {
  const expected = new Map(Object.entries({ ...usualMs, ...measuredMs }))

  return {
    firstLookAt: (type) => {
      const ms = expected.get(type)
      return ms === undefined ? unknownFirstMs : Math.max(soonestMs, ms)
    },
    pauseAfter: (type, elapsedMs) => {
      const slowest = elapsedMs > lazyAfterMs ? lazySlowestMs : slowestMs
      const pause = expected.has(type) ? Math.max(soonestMs, elapsedMs / 8) : Math.max(unknownSoonestMs, elapsedMs / 5)
      return Math.min(slowest, pause)
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
