import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './world.js'

/** The time of this computer. */
export const systemClock: Clock = createClock(1)

/** A clock that runs `speed` times as fast, for a run against a lab of the same speed. */
export function createClock(speed: number): Clock {
  return {
    speed,
    now: () => Date.now(),
    monotonic: () => performance.now() * speed,
    sleep: (ms, signal) => wait(ms / speed, undefined, { signal, ref: true }),
  }
}
