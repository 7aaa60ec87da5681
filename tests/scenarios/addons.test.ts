import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, mutatingCalls, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

test('a cluster without a network of its own gets Cilium first, then metrics; a second up changes nothing', async () => {
  stage = await aStage({
    files: {
      'cluster.yaml': clusterYaml({
        controlPlanes: 1,
        workers: 1,
        extra: 'addons:\n  cilium: true\n  metrics_server: true\n',
      }),
    },
  })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { observed, plan } = await stage.plan()
  expect(plan.steps).toEqual([])
  expect(observed.kubernetes?.addons.map(({ name, healthy }) => [name, healthy])).toContainEqual(['cilium', true])
  expect(observed.kubernetes?.addons.map(({ name }) => name)).toContain('metrics_server')
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
  expect(mutatingCalls(stage.lab)).toEqual(before)
})

test('an addon that is taken out of the inventory is removed', async () => {
  stage = await aStage({
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1, extra: 'addons:\n  cert_manager: true\n' }) },
  })
  await stage.up()
  await stage.write('cluster.yaml', clusterYaml({ controlPlanes: 1, workers: 1 }))
  expect(titlesOf((await stage.plan()).plan)).toEqual(['remove the addon cert_manager'])
  await stage.up()
  expect((await stage.plan()).observed.kubernetes?.addons).toEqual([])
})
