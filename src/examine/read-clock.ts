import type { Clock } from '../world.js'
import type { ClockReading } from './examined.js'

/** Reads a clock that shows full steps of `resolutionMs`, some time between the call and its answer. */
export async function readClock<T>(
  clock: Clock,
  resolutionMs: number,
  call: () => Promise<T>,
  timeIn: (answer: T) => number,
): Promise<{ readonly answer: T; readonly reading: ClockReading }> {
  const before = clock.monotonic()
  const answer = await call()
  const tookMs = clock.monotonic() - before
  return {
    answer,
    reading: {
      offsetMs: timeIn(answer) + resolutionMs / 2 - (before + tookMs / 2),
      uncertaintyMs: (tookMs + resolutionMs) / 2,
    },
  }
}
