import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterYaml } from '../../../tests/support/lab.js'
import { loadInventory } from '../../inventory/index.js'
import { type WatchAccess, watchEnvironment } from './watch-environment.js'

const { signal } = new AbortController()
let folder: string
let server: Server
let received: { events: { type: string }[] }[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ichor-watch-'))
  received = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(body))
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const webhook = 'observability: { webhooks: [{ url: env:HOOK }] }\n'
const good = clusterYaml({ controlPlanes: 1, workers: 0, extra: webhook })
const write = (text: string) => writeFileSync(join(folder, 'cluster.yaml'), text)
const file = () => join(folder, 'cluster.yaml')

/** A cluster that cannot be looked at, whose secrets can be read. */
function access(env: NodeJS.ProcessEnv, more: Partial<WatchAccess> = {}): WatchAccess {
  const inspectable = { world: { secrets: { find: async () => undefined } } } as never
  return {
    env,
    isLab: true,
    clock: { now: Date.now, sleep: async () => undefined },
    load: (path) => loadInventory(path, { env: {} }),
    withSession: (_, work) => work(inspectable),
    beside: () => Promise.reject(new Error('nobody answers')),
    ...more,
  }
}
const hookAt = () => ({ HOOK: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` })
const sent = () => received.map(({ events }) => events.map(({ type }) => type))

test('what is found before the webhooks are known is kept for them', async () => {
  write('cluster_name: [dev')
  await watchEnvironment(file(), access(hookAt())).pass(signal)
  expect(sent()).toEqual([])
  write(good)
  await watchEnvironment(file(), access(hookAt())).pass(signal)
  expect(sent()).toEqual([['inventory.refused', 'cluster.unseen']])
})

test('what a webhook did not take survives a pass in which its address cannot be resolved', async () => {
  write(good)
  const port = (server.address() as AddressInfo).port
  await new Promise((resolve) => server.close(resolve))
  await watchEnvironment(file(), access({ HOOK: `http://127.0.0.1:${port}/` })).pass(signal)
  await watchEnvironment(file(), access({})).pass(signal)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await watchEnvironment(file(), access(hookAt())).pass(signal)
  expect(sent()).toEqual([['cluster.unseen']])
})

test('a session that cannot be opened is reported to the webhooks of the pass before', async () => {
  write(good)
  let isLocked = false
  const environment = watchEnvironment(
    file(),
    access(hookAt(), {
      withSession: (_, work) =>
        isLocked
          ? Promise.reject(new Error('the secrets cannot be read'))
          : work({ world: { secrets: { find: async () => undefined } } } as never),
    }),
  )
  await environment.pass(signal)
  isLocked = true
  write('cluster_name: [dev')
  await environment.pass(signal)
  expect(sent()).toEqual([['cluster.unseen'], ['inventory.refused']])
})

test('a memory that cannot be written is reported once', async () => {
  write(good)
  writeFileSync(join(folder, '.ichor'), '')
  const environment = watchEnvironment(file(), access(hookAt()))
  expect((await environment.pass(signal)).notes).toEqual([expect.stringContaining('--state')])
  expect((await environment.pass(signal)).notes).toEqual([])
})
