import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { killedAtItsCalls } from '../support/killed-story.js'
import { anInventoryFolder, mutatingCalls, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import {
  movedToOtherPool,
  neverGrown,
  operatorReturns,
  protectedWorker,
  protectionLifted,
  unreachableNodes,
  untaggedAndAway,
} from '../support/refused-stories.js'
import { aWorstDay, secretsFile, wanting } from '../support/worst-day.js'

for (const story of [
  unreachableNodes,
  operatorReturns,
  protectedWorker,
  protectionLifted,
  neverGrown,
  untaggedAndAway,
  movedToOtherPool,
])
  test(`killed at its calls, and finished by the next run: ${story.name}`, () => killedAtItsCalls(story, 4))

test('the secrets are lost, and destroy is killed at its calls: the next one leaves nothing', async () => {
  const files = { 'cluster.yaml': wanting(1, 1) }
  const stage = await aWorstDay({ files })
  let saved: ReturnType<Stage['lab']['save']>
  let calls = 0
  try {
    await stage.up()
    await rename(join(stage.folder, secretsFile), join(stage.folder, 'lost'))
    saved = stage.lab.save()
    const before = mutatingCalls(stage.lab).length
    expect((await stage.destroy()).outcome).toBe('done')
    calls = mutatingCalls(stage.lab).length - before
  } finally {
    await stage.close()
  }
  const kill = async (nth: number) => {
    const folder = await anInventoryFolder(files)
    const again = await aWorstDay({ files, folder, resume: saved })
    try {
      again.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await again.destroy().catch(() => undefined)
      again.lab.faults.clear()
      await again.destroy({ forceUnlock: true })
      expect(whatIsThere(again.lab)).toMatchObject({ vms: [], pools: [] })
    } finally {
      await again.close()
      await rm(folder, { recursive: true, force: true })
    }
  }
  expect(calls).toBeGreaterThan(4)
  expect(await forEveryCall(calls, kill, { sideBySide: 1 })).toEqual([])
})
