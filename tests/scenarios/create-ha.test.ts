import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

test('three control planes and two workers on three hosts become one healthy cluster, and nothing is left afterwards', async () => {
  stage = await aStage({ files: { 'cluster.yaml': clusterYaml({ extra: '' }) } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  const { observed, plan } = await stage.plan()
  expect(plan.steps).toEqual([])
  expect(observed.etcd?.members).toHaveLength(3)
  expect(observed.machines.map(({ node }) => node?.ready)).toEqual([true, true, true, true, true])
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(mutatingCalls(stage.lab)).toEqual(before)
  await stage.destroy()
  expect(stage.lab.proxmox.unknown()).toEqual([])
})
