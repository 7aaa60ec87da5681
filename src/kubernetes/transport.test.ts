import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createTestCa } from '../../tests/support/node-certificates.js'
import { createDirectDialer } from '../reach/direct.js'
import { connectKubernetes } from './connect.js'
import type { KubernetesApi } from './port.js'

const signal = new AbortController().signal
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** API servers with responses chosen by the test, through our client. */
async function apiWith(...listeners: RequestListener[]): Promise<KubernetesApi> {
  const ca = await createTestCa()
  const { crt, key } = await ca.issueServer()
  const servers = listeners.map((one) => createServer({ cert: crt, key: key.replaceAll('ED25519 ', '') }, one))
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const admin = await ca.issueClient(['system:masters'])
  const port = connectKubernetes({
    dialer: createDirectDialer(),
    clock,
    credentials: async () => ({ ca: ca.crt, ...admin }),
    silenceMs: 30,
  })
  closing.push(...servers.flatMap((server) => [() => server.close(), () => server.closeAllConnections()]), () =>
    port.close(),
  )
  return port.at(servers.map((server) => ({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })))
}

test('an answer that stops half-way is asked for again', async () => {
  let asked = 0
  const api = await apiWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (asked++ === 0) response.write('{"gitVersion":')
    else response.end('{"gitVersion":"v1.34.1"}')
  })
  expect(await api.version(signal)).toBe('v1.34.1')
})

test('a server that always stops half-way is an error, not a wait without end', async () => {
  const api = await apiWith((_, response) => void response.writeHead(200).write('{'))
  await expect(api.version(signal)).rejects.toThrow('the answer stopped half-way')
})

test('an answer of 700 MiB is refused early, and not asked for again', async () => {
  let asked = 0
  const api = await apiWith((_, response) => {
    asked++
    response.writeHead(200, { 'content-length': String(700 * 1024 * 1024) }).write(' ')
  })
  await expect(api.version(signal)).rejects.toThrow('the answer is too long')
  expect(asked).toBe(1)
})

test('a server whose etcd does not answer is left for the next one, which stays the first', async () => {
  let asked = 0
  const api = await apiWith(
    (_, response) => {
      asked++
      response.writeHead(500).end('{"kind":"Status","message":"etcdserver: request timed out"}')
    },
    (_, response) => void response.writeHead(200).end('{"gitVersion":"v1.34.1"}'),
  )
  expect(await api.version(signal)).toBe('v1.34.1')
  expect(await api.version(signal)).toBe('v1.34.1')
  expect(asked).toBe(1)
})

test('an answer that is nested without end is refused at once, and is not asked for again', async () => {
  let asked = 0
  const api = await apiWith((_, response) => {
    asked++
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"a":'.repeat(1_000_000))
  })
  await expect(api.version(signal)).rejects.toThrow('nested more than 500 times')
  expect(asked).toBe(1)
})
