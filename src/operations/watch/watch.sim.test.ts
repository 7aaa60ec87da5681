import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../../../tests/support/lab.js'
import { seen } from '../../cluster/seen.js'
import { InventoryError } from '../../inventory/problem.js'
import { readOnly } from '../../read-only.js'
import { type WatchAccess, watchEnvironment } from './watch-environment.js'

const { signal } = new AbortController()
const anInventory = (workers: number) =>
  clusterYaml({ controlPlanes: 1, workers, extra: 'backup: { etcd: { schedule: "0 */6 * * *" } }\n' })
const yaml = anInventory(1)
let stage: Stage
let connected: Awaited<ReturnType<Stage['connect']>>
beforeAll(async () => {
  stage = await aStage({ files: { 'cluster.yaml': yaml } })
  await stage.up()
  connected = await stage.connect()
})
afterAll(() => stage.close())

const access = (): WatchAccess => ({
  env: {},
  isLab: true,
  clock: { now: Date.now, sleep: async () => undefined },
  load: () => stage.inventory(),
  withSession: (inventory, work) => {
    const silent = { notify: () => {}, onNotice: () => {} }
    return work({ ...connected, ...silent, world: readOnly(connected.world), inventory, env: {} })
  },
  beside: async () => ({
    expiries: [],
    backup: seen({ newest: { name: 'dev-1', takenAt: Date.now() }, drilledAt: Date.now() }),
  }),
})
const watching = () => watchEnvironment(join(stage.folder, 'cluster.yaml'), access())
const typesOf = async (environment: ReturnType<typeof watching>) => {
  const { events, notes } = await environment.pass(signal)
  expect(notes).toEqual([])
  return events.map((event) => (event.type === 'finding.opened' ? `${event.type} ${event.finding.code}` : event.type))
}

test('a life: calm, a change of the inventory, a broken one, and a restart that repeats nothing', async () => {
  let environment = watching()
  expect(await typesOf(environment)).toEqual([])
  expect(await typesOf(environment)).toEqual([])

  await stage.write('cluster.yaml', anInventory(2))
  expect(await typesOf(environment)).toEqual(expect.arrayContaining(['finding.opened ICH0301', 'plan.pending']))
  expect(environment.measurement().pendingSince).toBeGreaterThan(0)

  environment = watching()
  expect(await typesOf(environment)).toEqual([])

  await stage.write('cluster.yaml', 'cluster_name: [dev')
  expect(await typesOf(environment)).toEqual(['inventory.refused'])
  expect(environment.measurement().seen).toBeDefined()
  expect(await typesOf(environment)).toEqual([])
  await expect(stage.inventory()).rejects.toBeInstanceOf(InventoryError)

  await stage.write('cluster.yaml', yaml)
  expect(await typesOf(environment)).toEqual(
    expect.arrayContaining(['inventory.accepted', 'inventory.shrank', 'finding.closed', 'plan.closed']),
  )

  const memory = JSON.parse(await readFile(join(stage.folder, '.ichor', 'watch.lab.json'), 'utf8'))
  expect(memory).toMatchObject({ cluster: 'dev', findings: [], machines: ['dev-cp-1', 'dev-wk-1'] })
})
