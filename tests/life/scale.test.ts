import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import { byHand } from '../support/by-hand.js'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { notesOf } from '../support/plan-notes.js'
import { scaleTo } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'
const yaml = (size: { controlPlanes: number; workers: number }) =>
  clusterYaml(size)
    .replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
    .replace(`worker_count: ${size.workers}`, `worker_count: ${size.workers} # as many as we need`)

const written = () => readFile(join(stage.folder, 'cluster.yaml'), 'utf8')
const machinesThere = () => whatIsThere(stage.lab).vms.map((vm) => vm.split(' ')[2])

test('scale 3+3 to 3+2 and back: the worker whose loss harms least goes, and the cluster is there all the time', async () => {
  const before = yaml({ controlPlanes: 3, workers: 3 })
  stage = await aStage({ speed: 100, files: { 'cluster.yaml': before } })
  await stage.up()
  const workload = await watchWorkload(stage, vip)
  const hand = await byHand(stage)
  await hand.world.kubernetes.at([{ host: vip, port: 6443 }]).cordon('dev-wk-2', hand.signal)
  const reasons: string[] = []
  await stage.up({
    change: scaleTo('workers=2'),
    confirm: async ({ steps }) => {
      reasons.push(...steps.filter(({ kind }) => kind === 'delete-machine').map(({ reason }) => reason))
      return true
    },
  })
  expect(reasons).toEqual(['workers 3 -> 2; remove dev-wk-2: it is cordoned'])
  expect(await written()).toBe(
    before.replace('worker_count: 3 #', 'worker_count: 2 #').concat('retired:\n  - dev-wk-2\n'),
  )
  expect(machinesThere()).toEqual(['dev-cp-1', 'dev-cp-2', 'dev-cp-3', 'dev-wk-1', 'dev-wk-3'])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

  await stage.up({ change: scaleTo('workers=3') })
  expect(await written()).toBe(before)
  const nodes = ifSeen((await stage.plan()).observed.kubernetes)?.nodes.map(({ name }) => name)
  expect(nodes).toContain('dev-wk-2')
  workload.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-3'], maxAway: 0 } })
})

test('scale 5 to 3 control planes: the leader stays, and the others leave one after the other', async () => {
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': yaml({ controlPlanes: 5, workers: 0 }) } })
  await stage.up()
  const leader = ifSeen((await stage.plan()).observed.etcd)?.leader
  await stage.up({ change: scaleTo('control_planes=3') })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const etcd = ifSeen((await stage.plan()).observed.etcd)
  expect(etcd?.members).toHaveLength(3)
  expect(etcd?.leader).toBe(leader)
  expect(stage.lab.availability.etcdOutages()).toEqual([])
})

test('scale 3 to 1 control planes: a snapshot first, the leader stays, and etcd has its majority all the time', async () => {
  const before = yaml({ controlPlanes: 3, workers: 2 })
  stage = await aStage({ speed: 100, files: { 'cluster.yaml': before } })
  await stage.up()
  const workload = await watchWorkload(stage, vip)
  const leader = ifSeen((await stage.plan()).observed.etcd)?.leader
  const notes: string[] = []
  await stage.up({
    change: scaleTo('control_planes=1'),
    confirm: async (plan) => {
      notes.push(...notesOf(plan))
      return true
    },
    signal: AbortSignal.timeout(120_000),
  })
  expect(notes.join()).toContain('tolerates no failure')
  const finished = stage.events.flatMap((event) => (event.type === 'step.finished' ? [event.step.split('?')[0]] : []))
  expect(finished.indexOf('snapshot-etcd')).toBeGreaterThan(-1)
  expect(finished.indexOf('snapshot-etcd')).toBeLessThan(finished.indexOf('reset-machine'))
  const etcd = ifSeen((await stage.plan()).observed.etcd)
  expect([etcd?.members.length, etcd?.leader]).toEqual([1, leader])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  workload.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2'], maxAway: 0 } })
  await stage.up({ change: scaleTo('control_planes=3') })
  expect(ifSeen((await stage.plan()).observed.etcd)?.members).toHaveLength(3)
})

test('scale refuses what would harm, and then writes nothing', async () => {
  const before = yaml({ controlPlanes: 3, workers: 1 })
  stage = await aStage({ speed: 1000, files: { 'cluster.yaml': before } })
  await expect(stage.up({ change: scaleTo('control_planes=2') })).rejects.toThrow('etcd needs an odd number of members')
  await expect(stage.up({ change: scaleTo('control_planes=0') })).rejects.toThrow('at least one control plane')
  await stage.up({ until: 'vms' })
  const declined = await stage.up({ change: scaleTo('workers=0'), confirm: async () => false })
  expect(declined.outcome).toBe('declined')
  expect(await written()).toBe(before)
})
