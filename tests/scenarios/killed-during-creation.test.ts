import { expect, test } from 'vitest'
import { disturbCreation, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'

test('killed at every call of a creation, the next up ends with the same cluster and nothing too many', async () => {
  const undisturbed = await liveUndisturbed()
  expect(undisturbed.callsOfUp).toBeGreaterThanOrEqual(40)
  expect(await forEveryCall(undisturbed.callsOfUp, (nth) => disturbCreation(nth, 'kill-caller', undisturbed))).toEqual(
    [],
  )
}, 600_000)
