import { createClock } from '../../../src/clock.js'
import type { Clock } from '../../../src/world.js'
import { currentOperator } from '../operator.js'

export { createClock }

/** How much faster than the wall the time of leases runs: their minutes become seconds. */
const leaseSpeed = Number(process.env.ICHOR_CHAOS_LEASE_SPEED ?? 20)
const began = Date.now()
const fast = createClock(leaseSpeed)
const leap = () => currentOperator()?.leapMs ?? 0

export const systemClock: Clock = {
  now: () => began + (Date.now() - began) * leaseSpeed + leap(),
  monotonic: () => fast.monotonic() + leap(),
  sleep: async (ms, signal) => {
    await fast.sleep(ms, signal)
    await currentOperator()?.mayGoOn()
  },
}
