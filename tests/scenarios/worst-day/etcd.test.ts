import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Stage } from '../../support/lab.js'
import { bootstraps } from '../../support/left-behind.js'
import { aWorstDay, tell, wanting } from '../../support/worst-day.js'
import { halfLost, oldSecrets, oldSecretsWithoutFirst, systemDiskLost } from '../../support/worst-day-stories.js'

let stage: Stage
beforeAll(async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(3, 0) } })
  await stage.up()
})
afterAll(() => stage.close())

for (const story of [halfLost, systemDiskLost, oldSecrets, oldSecretsWithoutFirst])
  test(story.name, async () => {
    await tell(stage, story)
    expect(bootstraps(stage.lab)).toBe(1)
  })
