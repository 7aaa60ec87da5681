import { afterAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { killReplacement, killRestore, loseCluster } from '../support/killed-processes.js'
import { oneIn } from '../support/sample.js'

const lost = await loseCluster()
afterAll(() => lost.forget())

test('SIGKILL at mutating calls of a restore: the next one ends with the same cluster, and with one etcd', async () => {
  expect(lost.callsOfRestore).toBeGreaterThanOrEqual(30)
  expect(await forEveryCall(lost.callsOfRestore, (nth) => killRestore(nth, lost), { oneIn: oneIn(5) })).toEqual([])
})

test('SIGKILL at mutating calls of a restore over a cluster that is well: the same', async () => {
  expect(lost.callsOfReplacement).toBeGreaterThanOrEqual(15)
  expect(await forEveryCall(lost.callsOfReplacement, (nth) => killReplacement(nth, lost), { oneIn: oneIn(5) })).toEqual(
    [],
  )
})
