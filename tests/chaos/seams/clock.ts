import { createClock } from '../../../src/clock.js'
import type { Clock } from '../../../src/world.js'
import { currentOperator } from '../operator.js'

export { createClock }

/** How much faster than the wall the time of leases runs: their minutes become seconds. */
let leaseSpeed = 20
const began = Date.now()
const elapsedMs = () => (Date.now() - began) * leaseSpeed
const leap = () => currentOperator()?.leapMs ?? 0

export const systemClock: Clock = {
  now: () => began + elapsedMs() + leap(),
  monotonic: () => elapsedMs() + leap(),
  sleep: async (ms, signal) => {
    await createClock(leaseSpeed).sleep(ms, signal)
    await currentOperator()?.mayGoOn()
  },
}

/** Only between sequences: nobody holds a lease then. */
export function setLeaseSpeed(speed: number): void {
  leaseSpeed = speed
}
