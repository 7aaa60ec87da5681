import { expect, test } from 'vitest'
import { disturbDestruction, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'

test.each(['kill-caller', 'drop-answer'] as const)(
  '%s at every call of a destruction: the next destroy leaves nothing behind',
  async (disturbance) => {
    const undisturbed = await liveUndisturbed()
    expect(undisturbed.callsOfDestroy).toBeGreaterThanOrEqual(10)
    const failures = await forEveryCall(undisturbed.callsOfDestroy, (nth) =>
      disturbDestruction(nth, disturbance, undisturbed),
    )
    expect(failures).toEqual([])
  },
  600_000,
)
