import { expect, test } from 'vitest'
import { disturbDestruction, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'

test.each(['kill-caller', 'drop-answer'] as const)(
  '%s at every call of a destruction: the next destroy leaves nothing behind',
  async (disturbance) => {
    const undisturbed = await liveUndisturbed()
    let struck = 0
    const failures = await forEveryCall(undisturbed.callsOfDestroy, async (nth) => {
      if (await disturbDestruction(nth, disturbance, undisturbed)) struck++
    })
    expect(failures).toEqual([])
    expect(struck).toBeGreaterThanOrEqual(10)
  },
  600_000,
)
