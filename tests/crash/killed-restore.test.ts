import { afterAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { killReplacement, killRestore, loseCluster } from '../support/killed-processes.js'

const lost = await loseCluster()
afterAll(() => lost.forget())

/** 1 kills at every call. */
const oneIn = Number(process.env.ICHOR_CRASH_ONE_IN ?? 5)

test('SIGKILL at mutating calls of a restore: the next one ends with the same cluster, and with one etcd', async () => {
  expect(lost.callsOfRestore).toBeGreaterThanOrEqual(30)
  expect(await forEveryCall(lost.callsOfRestore, (nth) => killRestore(nth, lost), { oneIn })).toEqual([])
})

test('SIGKILL at mutating calls of a restore over a cluster that is well: the same', async () => {
  expect(lost.callsOfReplacement).toBeGreaterThanOrEqual(15)
  expect(await forEveryCall(lost.callsOfReplacement, (nth) => killReplacement(nth, lost), { oneIn })).toEqual([])
})
