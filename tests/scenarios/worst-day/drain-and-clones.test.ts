import { afterEach, test } from 'vitest'
import type { Stage } from '../../support/lab.js'
import { operatorReturns } from '../../support/refused-stories.js'
import { aWorstDay, tell } from '../../support/worst-day.js'
import { linkedClones } from '../../support/worst-day-stories.js'

let stage: Stage
afterEach(() => stage.close())

for (const story of [operatorReturns, linkedClones])
  test(story.name, async () => {
    stage = await aWorstDay({ files: { 'cluster.yaml': story.before } })
    await tell(stage, story)
  })
