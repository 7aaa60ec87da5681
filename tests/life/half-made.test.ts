import { afterAll, beforeAll, test } from 'vitest'
import type { Stage } from '../support/lab.js'
import { neverGrown } from '../support/refused-stories.js'
import { aWorstDay, tell, wanting } from '../support/worst-day.js'
import {
  emptyVmStarted,
  resetAndWantedAgain,
  resetByHand,
  resetElsewhere,
  seedOfDeletedVm,
  seedOfMovedVm,
} from '../support/worst-day-stories.js'

let stage: Stage
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 1) } })
  await stage.up()
})
afterAll(() => stage.close())

test(neverGrown.name, () => tell(stage, neverGrown))

for (const story of [seedOfDeletedVm, seedOfMovedVm]) test(story.name, () => tell(stage, story))

for (const story of [resetAndWantedAgain, resetByHand, resetElsewhere]) test(story.name, () => tell(stage, story))

test(emptyVmStarted.name, () => tell(stage, emptyVmStarted))
