import { expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { killCreation, killDestruction, liveUndisturbed } from '../support/killed-processes.js'

const undisturbed = await liveUndisturbed()

test('SIGKILL at every mutating call of a creation: the next up ends with the same cluster', async () => {
  expect(undisturbed.callsOfUp).toBeGreaterThanOrEqual(40)
  expect(await forEveryCall(undisturbed.callsOfUp, (nth) => killCreation(nth, undisturbed))).toEqual([])
})

test('SIGKILL at every mutating call of a destruction: the next destroy leaves nothing behind', async () => {
  expect(undisturbed.callsOfDestroy).toBeGreaterThanOrEqual(10)
  expect(await forEveryCall(undisturbed.callsOfDestroy, (nth) => killDestruction(nth, undisturbed))).toEqual([])
})
