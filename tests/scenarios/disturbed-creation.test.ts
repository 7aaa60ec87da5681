import { beforeAll, expect, test } from 'vitest'
import { disturbCreation, forEveryCall, liveUndisturbed, type Undisturbed } from '../support/disturbed-runs.js'

let undisturbed: Undisturbed
beforeAll(async () => {
  undisturbed = await liveUndisturbed()
})

/** A sample: `npm run crash` does it at every call. */
test.each(['kill-caller', 'drop-answer'] as const)(
  '%s at every 72nd call of a creation: the next up ends with the same cluster and nothing too many',
  async (disturbance) => {
    const disturb = (nth: number) => disturbCreation(nth, disturbance, undisturbed)
    expect(await forEveryCall(undisturbed.callsOfUp, disturb, { oneIn: 72 })).toEqual([])
  },
  600_000,
)
