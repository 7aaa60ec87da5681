import { beforeAll, expect, test } from 'vitest'
import build from '../cli/build.js'
import { killCreation, liveUndisturbed, type Undisturbed } from '../support/killed-processes.js'

let undisturbed: Undisturbed
beforeAll(async () => {
  build()
  undisturbed = await liveUndisturbed()
}, 180_000)

test.each([
  { when: 'early', share: 0.1 },
  { when: 'halfway', share: 0.5 },
  { when: 'late', share: 0.9 },
])(
  'a real SIGKILL $when in a creation: the next up takes the lease at once and ends with the same cluster',
  async ({ share }) => {
    expect(undisturbed.callsOfUp).toBeGreaterThanOrEqual(40)
    await killCreation(Math.ceil(undisturbed.callsOfUp * share), undisturbed)
  },
  180_000,
)
