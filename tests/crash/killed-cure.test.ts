import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { seen } from '../../src/cluster/seen.js'
import { curesOf } from '../../src/operations/cures.js'
import { inspect } from '../../src/operations/doctor.js'
import { byHand } from '../support/by-hand.js'
import { forEveryCall, liveUndisturbed, type Undisturbed } from '../support/disturbed-runs.js'
import { anInventoryFolder, aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { oneIn } from '../support/sample.js'
import { uuidOf } from '../support/worst-day.js'

const yaml = clusterYaml({ workers: 3, extra: 'secrets: plain\n' })
const planted = ['ICH0302 dev-wk-2', 'ICH0305 VM 3002', 'ICH0308 dev-wk-1', 'ICH0505 dev-cp-1']

async function withDefects<T>({ standing, secrets }: Undisturbed, story: (stage: Stage) => Promise<T>): Promise<T> {
  const folder = await anInventoryFolder({ 'cluster.yaml': yaml, 'secrets.lab.yaml': secrets })
  const stage = await aStage({ speed: 1000, files: {}, folder, resume: standing })
  try {
    await stage.lab.clock.sleep(60_000)
    const hand = await byHand(stage)
    stage.lab.talos.corruptEtcd(uuidOf(stage, 'dev-cp-1'))
    await hand.set('dev-wk-1', { balloon: 1024 })
    await hand.stop('dev-wk-2')
    await hand.set('dev-wk-3', { description: 'some notes of mine' })
    await stage.lab.clock.sleep(60_000)
    expect(await found(stage)).toEqual(expect.arrayContaining(planted))
    return await story(stage)
  } finally {
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function look(stage: Stage) {
  const { world } = await stage.connect()
  const beside = Promise.resolve({ expiries: [], backup: seen({}) })
  return inspect({ inventory: await stage.inventory(), world, env: {} }, beside, AbortSignal.timeout(60_000))
}

async function found(stage: Stage): Promise<string[]> {
  const { findings } = (await look(stage)).examination
  return findings.filter(({ severity }) => severity !== 'info').map(({ code, subject }) => `${code} ${subject.name}`)
}

async function fix(stage: Stage) {
  const { facts, examination } = await look(stage)
  return stage.cure(curesOf(examination.findings, undefined, facts).cures, { forceUnlock: true })
}

test('ichor doctor --fix, killed at its calls: the next one finishes it, and nothing is found any more', async () => {
  const undisturbed = await liveUndisturbed({ files: { 'cluster.yaml': yaml } })
  const calls = await withDefects(undisturbed, async (stage) => {
    const before = mutatingCalls(stage.lab).length
    await fix(stage)
    expect(await found(stage)).toEqual([])
    return mutatingCalls(stage.lab).length - before
  })
  expect(calls).toBeGreaterThan(15)
  const kill = (nth: number) =>
    withDefects(undisturbed, async (stage) => {
      stage.lab.faults.add({ match: { nthMutating: nth }, action: { kind: 'kill-caller' } })
      await fix(stage).catch(() => undefined)
      stage.lab.faults.clear()
      await stage.lab.clock.sleep(60_000)
      await fix(stage)
      expect(await found(stage)).toEqual([])
      expect(stage.lab.availability.etcdOutages()).toEqual([])
    })
  expect(await forEveryCall(calls, kill, { oneIn: oneIn(Math.ceil(calls / 10)), sideBySide: 1 })).toEqual([])
})
