import { afterEach, test } from 'vitest'
import type { Stage } from '../../support/lab.js'
import { aWorstDay, tell, wanting } from '../../support/worst-day.js'
import { evacuatedWithoutMajority } from '../../support/worst-day-stories.js'

let stage: Stage
afterEach(() => stage.close())

test(evacuatedWithoutMajority.name, async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(3, 1) } })
  await tell(stage, evacuatedWithoutMajority)
})
