import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectDialer } from '../../../reach/direct.js'
import { reachErrorFrom } from '../../../reach/reach-error.js'
import type { ProxmoxPort } from '../port.js'
import { failureOf } from '../testing/failure-of.js'
import {
  connectTo,
  dropsAnswer,
  gives,
  hastyClock,
  inTurn,
  startTinyServer,
  type TinyServer,
  testFile,
} from '../testing/tiny-server.js'
import { createEndpoints } from './endpoints.js'

const directDialer = createDirectDialer()
const signal = new AbortController().signal
const vm = { host: 'pve1', vmid: 100 }
const version = gives({ version: '9.2.3', release: '9.2', repoid: 'x' })

let server: TinyServer
beforeEach(async () => {
  server = await startTinyServer()
  server.on.set('GET /version', version)
})
afterEach(() => server.close())

test('the next host is asked when the first one is dead, for writes too, and stays the one that is asked', async () => {
  const dead = await startTinyServer()
  await dead.close()
  server.on.set('PUT /pools', gives(null))
  const dialled: string[] = []
  const dial: typeof directDialer.dial = (target, dialSignal) => {
    dialled.push(`https://${target.host}:${target.port}`)
    return directDialer.dial(target, dialSignal)
  }
  const both = connectTo([dead, server], { dialer: { ...directDialer, dial } })
  await both.pools.setComment('ichor', 'x', signal)
  expect(server.seen.map(({ method }) => method)).toContain('PUT')
  expect(dialled.splice(0)).toContain(dead.endpoint)
  server.on.set('GET /version', inTurn(dropsAnswer, version))
  for (let i = 0; i < 3; i++) await both.cluster.version(signal)
  expect(dialled).not.toContain(dead.endpoint)
  await both.close()
})

test.each([
  {
    what: 'deletes a VM',
    write: 'DELETE /nodes/pve1/qemu/100',
    send: (port: ProxmoxPort) => port.machines.remove(vm, signal),
  },
  {
    what: 'stops a VM',
    write: 'POST /nodes/pve1/qemu/100/status/stop',
    send: (port: ProxmoxPort) => port.machines.stop(vm, signal),
  },
  {
    what: 'deletes a volume',
    write: 'DELETE /nodes/pve1/storage/local/content/local%3Aiso%2Fx.iso',
    send: (port: ProxmoxPort) => port.storage.removeVolume('pve1', 'local:iso/x.iso', signal),
  },
])(
  'a write that $what is not sent again by itself: whoever proved the owner proves it again',
  async ({ write, send }) => {
    const dead = await startTinyServer()
    await dead.close()
    server.on.set(write, gives('UPID:pve1:0012ABCD:0A1B2C3D:6917C5A0:qmstop:100:ichor@pve!run:'))
    const both = connectTo([dead, server])
    const error = await failureOf(send(both))
    expect(error).toMatchObject({ outcome: 'unreached', isTransient: true })
    expect(server.seen).toEqual([])
    await send(both)
    expect(server.seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toContain(write)
    await both.close()
  },
)

test('a host that did not answer is left out for a while, unless none is left', () => {
  let now = 0
  const clock = { ...hastyClock, monotonic: () => now }
  const hosts = ['pve1', 'pve2'].map((host) => ({ host, port: 8006 }))
  const trust = { kind: 'insecure' } as const
  const endpoints = createEndpoints(hosts, { trust, dialer: directDialer, clock, concurrencyPerHost: 1 })
  const inOrder = () => endpoints.inOrder('same').map(({ target }) => target.host)
  const [first, second] = endpoints.inOrder('same')
  if (first === undefined || second === undefined) throw new Error('two were given')
  endpoints.failed(first)
  expect(inOrder()).toEqual(['pve2'])
  endpoints.failed(second)
  expect(inOrder()).toEqual(['pve1', 'pve2'])
  endpoints.answered(second, 'same')
  expect(inOrder()).toEqual(['pve2'])
  now += 15_000
  expect(inOrder()).toEqual(['pve2', 'pve1'])
  endpoints.close()
})

test('queries that any host can answer rotate over the responding hosts, the rest go to one', () => {
  const hosts = ['pve1', 'pve2', 'pve3'].map((host) => ({ host, port: 8006 }))
  const trust = { kind: 'insecure' } as const
  const endpoints = createEndpoints(hosts, { trust, dialer: directDialer, clock: hastyClock, concurrencyPerHost: 1 })
  const firstFor = (by: 'any' | 'same') => {
    const [first] = endpoints.inOrder(by)
    if (first !== undefined) endpoints.answered(first, by)
    return first?.target.host
  }
  const dead = endpoints.inOrder('same')[1]
  expect(firstFor('same')).toBe('pve1')
  expect(Array.from({ length: 4 }, () => firstFor('any'))).toEqual(['pve1', 'pve2', 'pve3', 'pve1'])
  expect([firstFor('same'), firstFor('same')]).toEqual(['pve1', 'pve1'])
  if (dead !== undefined) endpoints.failed(dead)
  expect(new Set(Array.from({ length: 4 }, () => firstFor('any')))).toEqual(new Set(['pve1', 'pve3']))
  expect(endpoints.inOrder('any')).toHaveLength(2)
  endpoints.close()
})

test('if no host responds, each is named with its reason', async () => {
  const dead = await startTinyServer()
  await dead.close()
  const error = await failureOf(connectTo([dead]).cluster.version(signal))
  expect(error.kind).toBe('unreachable')
  expect(error.message).toMatch(/nothing listens on port \d+\. GET \/version got no answer/)
  expect(error.where).toMatch(/at 127\.0\.0\.1:\d+$/)
})

test('if none of several hosts responds, one error has all their addresses', async () => {
  const dead = [await startTinyServer(), await startTinyServer()]
  await Promise.all(dead.map((server) => server.close()))
  const error = await failureOf(connectTo(dead).cluster.version(signal))
  expect(error.message).toMatch(/^Proxmox does not respond at any of its 2 addresses\. .*nothing listens on port \d+\./)
  expect(error.message.match(/nothing listens/g)).toHaveLength(1)
  expect(error.where).toMatch(/at 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+$/)
  expect(error.fix).toMatch(/^Check that at least one of these hosts is up/)
})

test('other hosts are learned with the first write, pinned to what the cluster reports, and take over', async () => {
  const second = await startTinyServer()
  second.on.set('GET /version', version)
  const port = Number(new URL(second.endpoint).port)
  const sha256 = new X509Certificate(testFile('host.crt')).fingerprint256
  server.on.set('GET /cluster/status', gives([{ type: 'node', name: 'pve2', ip: '127.0.0.2', online: 1 }]))
  server.on.set('GET /nodes', gives([{ node: 'pve2', ssl_fingerprint: sha256 }]))
  server.on.set('PUT /pools', gives(null))
  const dialed: string[] = []
  const dialer = {
    ...directDialer,
    dial: (target: { host: string; port: number }, dialSignal: AbortSignal) => {
      dialed.push(target.host)
      return directDialer.dial(target.host === '127.0.0.2' ? { host: '127.0.0.1', port } : target, dialSignal)
    },
  }
  const client = connectTo([server], { dialer })
  await client.pools.setComment('ichor', 'x', signal)
  while (server.seen.length < 3) await new Promise(setImmediate)
  await client.pools.setComment('ichor', 'x', signal)
  await server.close()
  expect((await client.cluster.version(signal)).major).toBe(9)
  expect(dialed).toContain('127.0.0.2')
  await client.close()
  await second.close()
})

test('a host name that does not resolve is not asked again and again', async () => {
  let dials = 0
  const dial = (target: { host: string; port: number }) => {
    dials++
    return Promise.reject(reachErrorFrom(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), target))
  }
  const lost = connectTo([], { endpoints: ['https://pve.nowhere:8006'], dialer: { ...directDialer, dial } })
  const error = await failureOf(lost.cluster.version(signal))
  expect(error.message).toContain('The name pve.nowhere does not resolve')
  expect(dials).toBe(1)
})
