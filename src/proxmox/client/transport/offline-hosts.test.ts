import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectDialer } from '../../../reach/direct.js'
import { failureOf } from '../testing/failure-of.js'
import {
  connectTo,
  fails,
  gives,
  inTurn,
  type Reply,
  startTinyServer,
  type TinyServer,
  testFile,
} from '../testing/tiny-server.js'

const signal = new AbortController().signal
const vm = { host: 'pve2', vmid: 100 }
const config = 'GET /nodes/pve2/qemu/100/config'
const direct = createDirectDialer()
/** Accepts the request, as a host that loses power right then. */
const never: Reply = () => undefined
const status = (pve2: 0 | 1, quorate = 1) =>
  gives([
    { type: 'cluster', quorate },
    { type: 'node', name: 'pve1', online: 1, ip: '127.0.0.1' },
    { type: 'node', name: 'pve2', online: pve2, ip: '127.0.0.2' },
  ])

let pve1: TinyServer
let pve2: TinyServer
beforeEach(async () => {
  pve1 = await startTinyServer()
  pve2 = await startTinyServer()
})
afterEach(async () => {
  await pve1.close()
  await pve2.close()
})

const asked = ({ seen }: TinyServer, route: string) =>
  seen.filter(({ method, path }) => `${method} ${path.split('?')[0]}` === route).length

/** Knows pve2 from an earlier run. */
function connectBoth() {
  const port = Number(new URL(pve2.endpoint).port)
  const dial: typeof direct.dial = (target, dialSignal) =>
    direct.dial(target.host === '127.0.0.2' ? { host: '127.0.0.1', port } : target, dialSignal)
  const sha256 = new X509Certificate(testFile('host.crt')).fingerprint256
  return connectTo([pve1], { dialer: { ...direct, dial }, otherHosts: [{ address: '127.0.0.2', port: 8006, sha256 }] })
}

test('a 595 is not asked for again once the cluster reports the host as offline', async () => {
  pve1.on.set(config, fails(595, 'No route to host'))
  pve1.on.set('GET /cluster/status', inTurn(status(1), status(0)))
  const client = connectTo([pve1])
  expect((await failureOf(client.machines.findConfig(vm, signal))).kind).toBe('host-down')
  expect(asked(pve1, config)).toBe(2)
  await client.close()
})

test('a query about a host that dies meanwhile ends when the cluster reports it, and others are not sent', async () => {
  pve1.on.set(config, never)
  pve1.on.set('GET /cluster/status', status(0))
  const client = connectTo([pve1], { deadlineMs: 3_600_000 })
  const error = await failureOf(client.machines.findConfig(vm, signal))
  expect([error.kind, error.status]).toEqual(['host-down', undefined])
  expect(error.message).toContain('pve2 is offline')
  expect((await failureOf(client.machines.findStatus(vm, signal))).kind).toBe('host-down')
  expect(pve1.seen.filter(({ path }) => path.startsWith('/nodes/pve2'))).toHaveLength(1)
  pve1.on.set('GET /cluster/status', status(1))
  pve1.on.set(config, gives({ name: 'x', digest: 'd' }))
  await client.cluster.status(signal)
  expect(await client.machines.findConfig(vm, signal)).toMatchObject({ options: { name: 'x' } })
  await client.close()
})

test('nothing is asked through a host that is offline, until it is back', async () => {
  const version = gives({ version: '9.2.3' })
  for (const host of [pve1, pve2]) host.on.set('GET /nodes/pve1/network', gives([]))
  for (const host of [pve1, pve2]) host.on.set('GET /version', version)
  pve1.on.set('GET /cluster/status', inTurn(status(0), status(1)))
  const client = connectBoth()
  await client.cluster.status(signal)
  for (let i = 0; i < 4; i++) await client.hosts.bridges('pve1', signal)
  expect(pve2.seen).toEqual([])
  await client.cluster.status(signal)
  for (let i = 0; i < 4; i++) await client.hosts.bridges('pve1', signal)
  expect(pve2.seen).not.toEqual([])
  await client.close()
})

test('a query to a host that dies meanwhile goes to the next one', async () => {
  const [bridges, network] = [gives([]), 'GET /nodes/pve1/network']
  pve1.on.set(network, bridges)
  pve2.on.set(network, never)
  for (const host of [pve1, pve2]) host.on.set('GET /cluster/status', status(1))
  const client = connectBoth()
  await client.cluster.status(signal)
  pve1.on.set('GET /cluster/status', status(0))
  pve2.on.set('GET /cluster/status', never)
  for (let i = 0; i < 2; i++) await client.hosts.bridges('pve1', signal)
  expect([asked(pve1, network), asked(pve2, network)]).toEqual([2, 1])
  await client.close()
})

test('a host that is cut off from the others does not tell who is offline', async () => {
  pve1.on.set(config, gives({ name: 'x', digest: 'd' }))
  pve1.on.set('GET /cluster/status', status(0, 0))
  const client = connectTo([pve1])
  expect(await client.cluster.status(signal)).toMatchObject({ quorate: false })
  expect(await client.machines.findConfig(vm, signal)).toMatchObject({ options: { name: 'x' } })
  await client.close()
})
