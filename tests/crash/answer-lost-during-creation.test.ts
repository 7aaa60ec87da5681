import { expect, test } from 'vitest'
import { disturbCreation, forEveryCall, liveUndisturbed } from '../support/disturbed-runs.js'

test('with the answer lost at every call of a creation, the next up ends with the same cluster and nothing too many', async () => {
  const undisturbed = await liveUndisturbed()
  let struck = 0
  const failures = await forEveryCall(undisturbed.callsOfUp, async (nth) => {
    if (await disturbCreation(nth, 'drop-answer', undisturbed)) struck++
  })
  expect(failures).toEqual([])
  expect(struck).toBeGreaterThanOrEqual(40)
}, 600_000)
