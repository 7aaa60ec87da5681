import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { aStage, clusterYaml, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

let stage: Stage
afterEach(() => stage.close())

const vip = '10.0.10.5'
const pools = 'worker_pools:\n  - { name: web, count: 3, surge: 1 } # the shop\n'

test('replace a worker of a pool with surge: another one is Ready first, and the pool is never smaller than it should be', async () => {
  const yaml = clusterYaml({ controlPlanes: 1, workers: 0, extra: pools }).replace(
    '10.0.10.254',
    `10.0.10.254\n  vip: ${vip}`,
  )
  stage = await aStage({ speed: 100, files: { 'cluster.yaml': yaml } })
  await stage.up()
  const workload = await watchWorkload(stage, vip)
  const machines = async () => (await stage.plan()).observed.machines.map(({ name }) => name).sort()
  await stage.up({ change: replace('dev-web-2') })
  expect(await machines()).toEqual(['dev-cp-1', 'dev-web-1', 'dev-web-3', 'dev-web-4'])
  expect(await readFile(join(stage.folder, 'cluster.yaml'), 'utf8')).toBe(`${yaml}retired:\n  - dev-web-2\n`)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  const at = (type: string, step: RegExp) =>
    stage.events.findIndex((event) => event.type === type && 'step' in event && step.test(String(event.step)))
  const ready = at('step.finished', /^await-back.*dev-web-4/)
  expect(ready).toBeGreaterThan(0)
  expect(at('step.started', /^drain-node.*dev-web-2/)).toBeGreaterThan(ready)
  workload.kept({ web: { machines: ['dev-web-1', 'dev-web-3', 'dev-web-4'], maxAway: 0 } })

  await stage.up({ change: replace('dev-web-3') })
  expect(await machines(), 'the number that is free comes back').toEqual([
    'dev-cp-1',
    'dev-web-1',
    'dev-web-2',
    'dev-web-4',
  ])
})
