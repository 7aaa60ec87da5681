import { afterEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'

let stage: Stage
afterEach(() => stage.close())

test('somebody makes a template out of a machine: up says so, and the command that it names makes it again', async () => {
  stage = await aStage({
    speed: 1000,
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 1 }) },
  })
  await stage.up()
  const hand = await byHand(stage)
  await hand.stop('dev-wk-1')
  await hand.wait(hand.world.proxmox.machines.convertToTemplate(await hand.vm('dev-wk-1'), hand.signal))
  await expect(stage.up()).rejects.toMatchObject({
    exitCode: 3,
    message: 'dev-wk-1 cannot start: its VM was converted to a template.',
    fix: expect.stringMatching(/^ichor replace dev-wk-1 /),
  })
  expect(await stage.up({ change: replace('dev-wk-1') })).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toMatchObject({ outcome: 'nothing-to-do' })
})
