import { getEventListeners } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { createClock } from '../../src/clock.js'
import { up } from '../../src/operations/goals.js'
import { reconcile } from '../../src/operations/reconcile.js'
import { aStage, aTopology, clusterYaml, type Stage } from '../support/lab.js'
import { livingEntries } from '../support/living-entries.js'
import { openHandles } from '../support/open-handles.js'

let stage: Stage | undefined
afterEach(() => stage?.close())

const passes = 1000
const speed = 2000
/** As long as certificates of a day, the first of them made then, are good: they are renewed at half of it. */
const spanMs = 23 * 3_600_000

test('a process that reconciles a thousand times in a day leaves no listener, socket or entry behind', async () => {
  stage = await aStage({
    speed,
    topology: aTopology(),
    files: { 'cluster.yaml': clusterYaml({ controlPlanes: 1, workers: 0 }) },
  })
  await stage.up()
  let late = spanMs
  const { world } = await stage.connect({ clock: { ...createClock(speed), now: () => Date.now() - late } })
  const { signal } = new AbortController()
  const spec = await stage.spec(world)
  const pass = () => reconcile({ spec, world, goal: up, run: 'run', confirm: async () => true, emit: () => {}, signal })
  for (let count = 0; count < 20; count++) expect(await pass()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const before = { open: openHandles(), listeners: getEventListeners(signal, 'abort').length, entries: livingEntries() }
  for (let count = 0; count < passes; count++) {
    late -= spanMs / passes
    await pass()
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(before.listeners)
  for (const [kind, count] of Object.entries(openHandles()))
    expect(count, kind).toBeLessThanOrEqual((before.open[kind] ?? 0) + 4)
  expect(livingEntries()).toBeLessThan(before.entries + passes / 2)
}, 1_200_000)
