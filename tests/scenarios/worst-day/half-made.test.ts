import { afterAll, beforeAll, test } from 'vitest'
import type { Stage } from '../../support/lab.js'
import { aWorstDay, isWell, killedAt, tell, wanting } from '../../support/worst-day.js'
import {
  emptyVmStarted,
  resetAndWantedAgain,
  resetByHand,
  resetElsewhere,
  seedOfDeletedVm,
  seedOfMovedVm,
} from '../../support/worst-day-stories.js'

let stage: Stage
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 1) } })
  await stage.up()
})
afterAll(() => stage.close())

test('one control plane should become three, killed after the first create, and is enough again: the empty VM goes', async () => {
  const from = stage.lab.clock.now()
  await stage.write('cluster.yaml', wanting(3, 1))
  await killedAt(stage, { surface: 'proxmox', method: 'POST', path: '/qemu$' }, () => stage.up())
  await stage.write('cluster.yaml', wanting(1, 1))
  await stage.up({ forceUnlock: true })
  await isWell(stage, from)
})

for (const story of [seedOfDeletedVm, seedOfMovedVm]) test(story.name, () => tell(stage, story))

for (const story of [resetAndWantedAgain, resetByHand, resetElsewhere]) test(story.name, () => tell(stage, story))

test(emptyVmStarted.name, () => tell(stage, emptyVmStarted))
