import { afterEach, expect, test } from 'vitest'
import { aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

test('one host, one control plane: up, nothing to do, destroy', async () => {
  stage = await aStage({
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) },
  })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(new Set(stage.events.map(({ run }) => run)).size, 'one id for the whole run').toBe(1)
  expect(stage.events.map(({ seq }) => seq)).toEqual(stage.events.map((_, index) => index + 1))
  expect([stage.events[0]?.type, stage.events.at(-1)?.type]).toEqual(['run.started', 'run.finished'])
  const before = mutatingCalls(stage.lab)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(mutatingCalls(stage.lab)).toEqual(before)
  expect(await stage.destroy()).toMatchObject({ outcome: 'done' })
  expect(await stage.up(), 'what was destroyed on purpose may be made again').toMatchObject({ outcome: 'done' })
  expect(stage.lab.proxmox.unknown()).toEqual([])
})
