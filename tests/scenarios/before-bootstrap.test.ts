import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

test('a run killed before the bootstrap is finished by the next one, although etcd does not answer until then', async () => {
  stage = await aStage({
    topology: aTopology({ hosts: 3 }),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 3, workers: 0 }) },
  })
  const killed = stage.up({
    onEvent: (event) => {
      if (event.type === 'step.started' && event.step.startsWith('bootstrap-etcd')) stage.die()
    },
  })
  await expect(killed).rejects.toThrow()
  const bootstraps = () => stage.lab.ledger.entries().filter(({ event }) => event === 'etcd.bootstrapped')
  expect(bootstraps()).toEqual([])
  expect(await stage.up({ forceUnlock: true })).toMatchObject({ outcome: 'done' })
  expect(bootstraps()).toHaveLength(1)
})
