import { getEventListeners } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { up } from '../../src/goals.js'
import { reconcile } from '../../src/reconcile.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

const passes = 1000

/** What the process has open, by kind. */
function openNow(): Record<string, number> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'Immediate' && kind !== 'Timeout')
  return Object.fromEntries([...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]))
}

test('a process that reconciles a thousand times leaves no listener and no socket behind', async () => {
  stage = await aStage({
    speed: 2000,
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) },
  })
  await stage.up()
  const { world } = await stage.connect()
  const { signal } = new AbortController()
  const spec = await stage.spec(world)
  const pass = () => reconcile({ spec, world, goal: up, confirm: async () => true, emit: () => {}, signal })
  for (let count = 0; count < 20; count++) expect(await pass()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const before = { open: openNow(), listeners: getEventListeners(signal, 'abort').length }
  for (let count = 0; count < passes; count++) await pass()
  expect(getEventListeners(signal, 'abort')).toHaveLength(before.listeners)
  for (const [kind, count] of Object.entries(openNow()))
    expect(count, kind).toBeLessThanOrEqual((before.open[kind] ?? 0) + 4)
}, 1_200_000)
