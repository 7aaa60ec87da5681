import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { forEveryCall, liveUndisturbed, type Undisturbed } from '../support/disturbed-runs.js'
import { anInventoryFolder, aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { oneIn } from '../support/sample.js'
import { replace } from '../support/verbs.js'
import { uuidOf } from '../support/worst-day.js'

const yaml = clusterYaml({ workers: 0, extra: 'secrets: plain\n' })
const change = replace('dev-cp-1')

/** The etcd of a control plane does not start any more. */
async function withSickMember<T>({ standing, secrets }: Undisturbed, story: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await anInventoryFolder({ 'cluster.yaml': yaml, 'secrets.lab.yaml': secrets })
  const stage = await aStage({ speed: 1000, files: {}, folder, resume: standing })
  try {
    await stage.lab.clock.sleep(60_000)
    stage.lab.talos.corruptEtcd(uuidOf(stage, 'dev-cp-1'))
    await stage.lab.clock.sleep(60_000)
    return await story(stage)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

test('a control plane whose etcd does not run is replaced, killed at its calls: the next run finishes it', async () => {
  const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': yaml } })
  const calls = await withSickMember(undisturbed, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await stage.up({ change })
    return mutatingCalls(stage.lab).length - before
  })
  expect(calls).toBeGreaterThan(10)
  const kill = (nth: number) =>
    withSickMember(undisturbed, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await stage.up({ change }).catch(() => undefined)
      stage.lab.faults.clear()
      // Before it is written down, the command itself is what continues.
      await stage.up({ forceUnlock: true }).catch(() => stage.up({ change, forceUnlock: true }))
      expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
      const { observed } = await stage.plan()
      expect(observed.etcd).toMatchObject({ seen: true, value: { members: { length: 3 }, healthy: { length: 3 } } })
      expect(stage.lab.availability.etcdOutages()).toEqual([])
    })
  expect(await forEveryCall(calls, kill, { oneIn: oneIn(Math.ceil(calls / 8)), sideBySide: 1 })).toEqual([])
})
