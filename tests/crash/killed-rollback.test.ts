import { afterAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { halfUpgradedCluster, killRollback } from '../support/killed-processes.js'
import { atMost } from '../support/sample.js'

const half = await halfUpgradedCluster()
afterAll(() => half.forget())

test('SIGKILL at mutating calls of upgrade --rollback: the same command again ends with the old version everywhere', async () => {
  expect(half.calls).toBeGreaterThanOrEqual(3)
  const oneIn = Math.max(1, Math.ceil(half.calls / atMost(3)))
  expect(await forEveryCall(half.calls, (nth) => killRollback(nth, half), { oneIn, sideBySide: 1 })).toEqual([])
})
