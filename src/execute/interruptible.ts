import type { Clock } from '../world.js'

/** A clock whose pauses end when the run is stopped; calls in flight get a grace period. */
export function interruptible(clock: Clock, stop: AbortSignal): Clock {
  return { ...clock, sleep: (ms, signal) => clock.sleep(ms, AbortSignal.any([signal, stop])) }
}
