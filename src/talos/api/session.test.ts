import { afterEach, expect, test, vi } from 'vitest'
import { at, portTo, serve, signal, versionRoute } from '../../../tests/support/talos-client.js'
import { MachineService } from '../../wire/machine/machine_pb.js'

afterEach(() => vi.restoreAllMocks())

/** What the session believes about how long ago it was used. */
function letTimePass(ms: number): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
}

test('after a pause many calls at once ask the old connection once whether it lives, and share it', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).node(at(server))
  await node.version(signal)
  letTimePass(60_000)
  await Promise.all(Array.from({ length: 30 }, () => node.version(signal)))
  expect(server.connections()).toBe(1)
})

test('calls that come while the connection is being made wait for that one', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const port = portTo(server)
  const nodes = ['dev-cp-1', 'the same node by another name'].map((machine) => port.node({ ...at(server), machine }))
  await Promise.all(nodes.map((node) => node.version(signal)))
  expect(server.connections()).toBe(1)
})

test('a closed port dials no more, and what is under way ends', async () => {
  const server = await serve((router) => router.service(MachineService, { version: () => new Promise(() => {}) }))
  const port = portTo(server)
  const node = port.node(at(server))
  const call = expect(node.version(signal)).rejects.toMatchObject({ grpcCode: 'Unavailable' })
  await expect.poll(() => server.connections()).toBe(1)
  await port.close()
  await call
  await expect(node.version(signal)).rejects.toThrow()
  expect(server.connections()).toBe(1)
})
