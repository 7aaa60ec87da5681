import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from './world.js'

/** The time of this computer. */
export const systemClock: Clock = createClock(1)

/** Time that passes `speed` times as fast, for a run against a lab that does so too. */
export function createClock(speed: number): Clock {
  return {
    speed,
    now: () => Date.now(),
    monotonic: () => performance.now() * speed,
    sleep: (ms, signal) => wait(ms / speed, undefined, { signal, ref: true }),
  }
}
