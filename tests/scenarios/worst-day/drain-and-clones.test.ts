import { afterEach, expect, test } from 'vitest'
import type { Stage } from '../../support/lab.js'
import { aWorstDay, tell, wanting } from '../../support/worst-day.js'
import { linkedClones } from '../../support/worst-day-stories.js'

let stage: Stage
afterEach(() => stage.close())

test('a worker goes while the operator of cilium tolerates every cordon: the drain ends', async () => {
  const cilium = 'addons:\n  cilium: true\n'
  stage = await aWorstDay({ files: { 'cluster.yaml': wanting(1, 2, cilium) } })
  await stage.up()
  await stage.write('cluster.yaml', wanting(1, 1, cilium))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(stage.lab.talos.machines().map(({ name }) => name)).toEqual(['dev-cp-1', 'dev-wk-1'])
})

test(linkedClones.name, async () => {
  stage = await aWorstDay({ files: { 'cluster.yaml': linkedClones.before } })
  await tell(stage, linkedClones)
})
