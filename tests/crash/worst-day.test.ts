import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forEveryCall } from '../support/disturbed-runs.js'
import { anInventoryFolder, mutatingCalls, type Stage } from '../support/lab.js'
import { aWorstDay, begin, finish, isWell, type Story, secretsFile } from '../support/worst-day.js'
import {
  emptyVmStarted,
  halfLost,
  hostBack,
  hostEvacuated,
  linkedClones,
  oldSecrets,
  oldSecretsWithoutFirst,
  resetAndWantedAgain,
  resetElsewhere,
  seedOfDeletedVm,
  seedOfMovedVm,
  surplusDeletedByHand,
  systemDiskLost,
} from '../support/worst-day-stories.js'

/** Kills of each story, spread over its calls; CRASH_ALL=1 kills at every call. */
const kills = process.env.CRASH_ALL === '1' ? Number.POSITIVE_INFINITY : 6

/** The lab right after the story has happened, and how many calls there are to be killed at. */
interface Scene {
  readonly lab: ReturnType<Stage['lab']['save']>
  readonly files: Readonly<Record<string, string>>
  readonly calls: number
}

async function sceneOf(story: Story): Promise<Scene> {
  const stage = await aWorstDay({ files: { 'cluster.yaml': story.before } })
  try {
    await begin(stage, story)
    const lab = stage.lab.save()
    const secrets = await readFile(join(stage.folder, secretsFile), 'utf8')
    const before = mutatingCalls(stage.lab).length
    await finish(stage)
    const calls = mutatingCalls(stage.lab).length - before
    return { lab, files: { 'cluster.yaml': story.after, [secretsFile]: secrets }, calls }
  } finally {
    await stage.close()
  }
}

async function kill(nth: number, { lab, files }: Scene, story: Story): Promise<void> {
  const folder = await anInventoryFolder(files)
  const stage = await aWorstDay({ files, folder, resume: lab })
  const from = stage.lab.clock.now()
  try {
    stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
    await finish(stage).catch(() => undefined)
    stage.lab.faults.clear()
    await finish(stage)
    await isWell(stage, from)
    story.judge?.(stage)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const stories = [
  halfLost,
  systemDiskLost,
  oldSecrets,
  oldSecretsWithoutFirst,
  surplusDeletedByHand,
  resetAndWantedAgain,
  resetElsewhere,
  emptyVmStarted,
  linkedClones,
  seedOfDeletedVm,
  seedOfMovedVm,
  hostEvacuated,
  hostBack,
]

for (const story of stories)
  test(`killed at its calls, and finished by the next run: ${story.name}`, async () => {
    const scene = await sceneOf(story)
    const oneIn = Math.max(1, Math.ceil(scene.calls / kills))
    // One lab at a time: the factory's port stands in the configs of the machines, and only one can have it.
    expect(await forEveryCall(scene.calls, (nth) => kill(nth, scene, story), { oneIn, sideBySide: 1 })).toEqual([])
  })
