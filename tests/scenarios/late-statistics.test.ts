import { afterEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { anInventoryFolder, aStage, aTopology, clusterYaml, type Stage, titlesOf } from '../support/lab.js'

let stage: Stage
afterEach(() => stage.close())

test('Proxmox reports late that a VM was stopped or started: it is asked itself, and not waited for without success', async () => {
  const files = { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0, extra: 'secrets: plain\n' }) }
  const folder = await anInventoryFolder(files)
  stage = await aStage({ speed: 1000, topology: aTopology(), files, folder })
  await stage.up()
  const saved = stage.lab.save()
  await stage.close()
  // Slow enough that the statistics, which are seconds old, are still so when they are read.
  stage = await aStage({ speed: 2, files, folder, resume: saved })
  const hand = await byHand(stage)
  const shown = async () => (await hand.world.proxmox.cluster.resources(hand.signal)).guests[0]?.status
  await expect.poll(shown, { timeout: 20_000 }).toBe('running')
  await hand.stop('dev-cp-1')
  expect(await shown()).toBe('running')
  expect(titlesOf((await stage.plan()).plan)).toEqual(['start dev-cp-1'])
})
