import { beforeAll, expect, test } from 'vitest'
import { disturbDestruction, forEveryCall, liveUndisturbed, type Undisturbed } from '../support/disturbed-runs.js'

let undisturbed: Undisturbed
beforeAll(async () => {
  undisturbed = await liveUndisturbed()
})

test.each(['kill-caller', 'drop-answer'] as const)(
  '%s at every call of a destruction: the next destroy leaves nothing behind',
  async (disturbance) => {
    let struck = 0
    const failures = await forEveryCall(undisturbed.callsOfDestroy, async (nth) => {
      if (await disturbDestruction(nth, disturbance, undisturbed)) struck++
    })
    expect(failures).toEqual([])
    expect(struck).toBeGreaterThanOrEqual(10)
  },
  600_000,
)
