import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { forEveryCall } from './disturbed-runs.js'
import { anInventoryFolder, mutatingCalls, type Stage } from './lab.js'
import { atMost } from './sample.js'
import { aWorstDay, begin, finish, isWell, type Story, secretsFile } from './worst-day.js'

/** Kills of each story, spread over its calls. */
const kills = atMost(6)

/** The lab right after the story has happened, and how many calls there are to be killed at. */
interface Scene {
  readonly lab: ReturnType<Stage['lab']['save']>
  readonly files: Readonly<Record<string, string>>
  readonly calls: number
}

/** `up` is killed at its calls, and the next one leaves what the story wants; returns what went wrong. */
export async function killedAtItsCalls(story: Story, most = kills): Promise<void> {
  const scene = await sceneOf(story)
  expect(scene.calls).toBeGreaterThan(0)
  const oneIn = Math.max(1, Math.ceil(scene.calls / Math.min(kills, most)))
  // One lab at a time: the factory's port stands in the configs of the machines, and only one can have it.
  expect(await forEveryCall(scene.calls, (nth) => kill(nth, scene, story), { oneIn, sideBySide: 1 })).toEqual([])
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
