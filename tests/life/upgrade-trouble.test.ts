import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { upgradeTo } from '../support/verbs.js'

let stage: Stage
afterEach(() => stage.close())

const kubernetes = 'kubernetes_version: v1.36.3 # with Talos 1.13\n'

async function aCluster(talos: string, { controlPlanes = 1, workers = 2 } = {}): Promise<void> {
  const yaml = clusterYaml({ controlPlanes, workers, extra: kubernetes }).replace('v1.13.9', `${talos} # as tested`)
  stage = await aStage({ speed: 500, files: { 'cluster.yaml': yaml } })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
}

async function running(): Promise<Record<string, string>> {
  const { observed } = await stage.plan()
  return Object.fromEntries(
    observed.machines.map(({ name, talos }) => [name, talos.reach === 'secured' ? talos.version : talos.reach]),
  )
}

const written = () => readFile(join(stage.folder, 'cluster.yaml'), 'utf8')

test('a node that boots its old slot again stops the roll; the others work on, and the next run finishes', async () => {
  await aCluster('v1.13.8')
  const { observed } = await stage.plan()
  stage.lab.talos.bootOldSlot(observed.machines.find(({ name }) => name === 'dev-wk-1')?.mark.uuid ?? '')
  const failure = stage.up({ change: upgradeTo({ talos: 'v1.13.9' }) })
  await expect(failure).rejects.toThrow(/dev-wk-1 booted Talos v1\.13\.8.* fell back to the old boot slot/)
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.9', 'dev-wk-1': 'v1.13.8', 'dev-wk-2': 'v1.13.8' })
  const after = await stage.plan()
  expect(after.observed.machines.map(({ node }) => node?.unschedulable)).toEqual([false, false, false])
  expect(await written()).toContain('talos_version: v1.13.9 # as tested')
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(new Set(Object.values(await running()))).toEqual(new Set(['v1.13.9']))
})

test('an installer that cannot be pulled stops everything before the first reboot', async () => {
  await aCluster('v1.13.8', { workers: 1 })
  const reboots = () => mutatingCalls(stage.lab).filter((call) => /\/(Reboot|Upgrade)$/.test(call))
  const before = reboots()
  stage.lab.faults.add({
    match: { surface: 'talos', method: 'Pull', machine: 'dev-wk-1' },
    action: { kind: 'status', status: 5, message: 'failed to resolve reference: not found' },
    times: 9,
  })
  await expect(stage.up({ change: upgradeTo({ talos: 'v1.13.9' }) })).rejects.toThrow(
    /pull .* on dev-wk-1: .*not found/,
  )
  expect(reboots()).toEqual(before)
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.8', 'dev-wk-1': 'v1.13.8' })
})

test('a roll pauses after a canary and after one machine, and can go back to the other boot slot', async () => {
  await aCluster('v1.13.8', { workers: 1 })
  const change = upgradeTo({ talos: 'v1.13.9' })
  expect(await stage.up({ change, limit: { canary: ['dev-wk-1'] } })).toMatchObject({ outcome: 'paused' })
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.8', 'dev-wk-1': 'v1.13.9' })
  expect(await stage.up({ limit: { canary: ['dev-wk-1'] } })).toEqual({ outcome: 'paused', changed: 0 })
  expect(await stage.up({ change: upgradeTo({ rollback: true }) })).toMatchObject({ outcome: 'done' })
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.8', 'dev-wk-1': 'v1.13.8' })
  expect(await written()).toContain('talos_version: v1.13.8 # as tested')
  expect(await stage.up({ change, limit: { pauseAfter: 1 } })).toMatchObject({ outcome: 'paused' })
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.9', 'dev-wk-1': 'v1.13.8' })
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('where etcd has a newer version, it is lowered before control planes go back', async () => {
  await aCluster('v1.13.9', { workers: 0 })
  expect(await stage.up({ change: upgradeTo({ talos: 'v1.14.1' }) })).toMatchObject({ outcome: 'done' })
  const hand = await byHand(stage)
  const { etcd } = hand.world.talos.node({ machine: 'dev-cp-1', address: '10.0.10.10' })
  expect((await etcd.status(hand.signal)).storageVersion).toBe('3.7.0')
  await stage.write('cluster.yaml', (await written()).replace('v1.14.1', 'v1.13.9'))
  await expect(stage.up()).rejects.toMatchObject({ code: 'refused', fix: expect.stringContaining('--rollback') })
  const back = upgradeTo({ rollback: true, talos: 'v1.13.9' })
  expect(await stage.up({ change: back })).toMatchObject({ outcome: 'done' })
  expect(await running()).toEqual({ 'dev-cp-1': 'v1.13.9' })
  expect((await etcd.status(hand.signal)).storageVersion).toBe('3.6.0')
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})
