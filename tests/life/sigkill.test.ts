import { beforeAll, expect, test } from 'vitest'
import { killCreation, killEvacuation, liveUndisturbed, type Undisturbed } from '../support/killed-processes.js'

let undisturbed: Undisturbed
beforeAll(async () => {
  undisturbed = await liveUndisturbed()
}, 180_000)

/** A sample: the tests in `tests/crash` do it at every call. */
test('a real SIGKILL halfway in a creation: the next up takes the lease at once and ends with the same cluster', async () => {
  expect(undisturbed.callsOfUp).toBeGreaterThanOrEqual(40)
  await killCreation(Math.ceil(undisturbed.callsOfUp / 2), undisturbed)
}, 180_000)

test('a real SIGKILL while a host is evacuated: the next up finishes it', async () => {
  await killEvacuation(4, undisturbed)
}, 180_000)
