import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

test('how long a run took does not count how long somebody thought about its plan', async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) }
  stage = await aStage({ speed: 1000, topology: aTopology(), files })
  const day = 24 * 3600_000
  let thought = 0
  const { outcome } = await stage.up({
    through: ({ clock, ...world }) => ({
      ...world,
      clock: { ...clock, monotonic: () => clock.monotonic() + thought },
    }),
    confirm: async () => {
      thought = day
      return false
    },
  })
  expect(outcome).toBe('declined')
  const finished = stage.events.find(({ type }) => type === 'run.finished')
  expect(finished).toMatchObject({ ms: expect.any(Number) })
  expect(finished?.type === 'run.finished' && finished.ms < day).toBe(true)
})
