import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterYaml } from '../../../tests/support/lab.js'
import { loadInventory } from '../../inventory/index.js'
import { type OpenMetrics, openMetrics } from './open-metrics.js'
import type { Environment, WatchAccess } from './watch-environment.js'

let folder: string
let metrics: OpenMetrics | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-metrics-'))
})
afterEach(async () => {
  await metrics?.close()
  rmSync(folder, { recursive: true, force: true })
})

const write = (extra: string) => writeFileSync(join(folder, 'cluster.yaml'), extra)
const good = (extra: string) => clusterYaml({ controlPlanes: 1, workers: 0, extra })
const withToken = good('watch: { token: env:METRICS_TOKEN }\n')
const environment = (): Environment => ({
  file: join(folder, 'cluster.yaml'),
  measurement: () => ({ cluster: 'dev' }),
  inventory: () => undefined,
  pass: () => Promise.reject(new Error('not here')),
})
const load = (file: string) => loadInventory(file, { env: {} })

async function open(env: NodeJS.ProcessEnv): Promise<OpenMetrics> {
  const access = { env, isLab: false, load } as Partial<WatchAccess> as WatchAccess
  metrics = await openMetrics({ environments: () => [environment()], listen: '127.0.0.1:0', access })
  return metrics
}
async function statusOf(token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://${metrics?.address}/metrics`, { headers })
  await answer.text()
  return answer.status
}
const passed = () => metrics?.record({ cluster: 'dev', outcome: 'seen', events: [], notes: [] }, 1)

test('while no inventory says whether a token is needed, nobody reads metrics', async () => {
  write('cluster_name: [dev')
  await open({ METRICS_TOKEN: 'a-token' })
  expect(await statusOf()).toBe(503)
  await passed()
  expect(await statusOf()).toBe(503)
  write(withToken)
  await passed()
  expect(await statusOf()).toBe(401)
  expect(await statusOf('a-token')).toBe(200)
})

test('an inventory without a token opens them when it can be read', async () => {
  write('cluster_name: [dev')
  await open({})
  write(good(''))
  await passed()
  expect(await statusOf()).toBe(200)
})

test('a token that cannot be read keeps them closed, and later opens them', async () => {
  write(withToken)
  const env: NodeJS.ProcessEnv = {}
  await open(env)
  expect(await statusOf()).toBe(503)
  env.METRICS_TOKEN = 'a-token'
  await passed()
  expect(await statusOf('a-token')).toBe(200)
})
