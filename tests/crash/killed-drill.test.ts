import { afterAll, expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { drillCluster, killDrill } from '../support/killed-processes.js'
import { oneIn } from '../support/sample.js'

const drilled = await drillCluster()
afterAll(() => drilled.forget())

test('SIGKILL at mutating calls of a drill: the next drill, up or destroy leaves nothing of it', async () => {
  expect(drilled.calls).toBeGreaterThanOrEqual(15)
  const options = { oneIn: oneIn(5), sideBySide: 1 }
  expect(await forEveryCall(drilled.calls, (nth) => killDrill(nth, drilled), options)).toEqual([])
})
