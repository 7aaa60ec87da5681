import { createServer } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimLoopback, type LoopbackRange } from './loopback-range.js'
import { createLabNetwork, type LabNetwork } from './network.js'

let range: LoopbackRange
let network: LabNetwork
const opened: { destroy(): void }[] = []
beforeEach(async () => {
  range = await claimLoopback()
  network = createLabNetwork({ scopes: [], prefix: range.prefix })
})
afterEach(async () => {
  for (const one of opened.splice(0)) one.destroy()
  await range.release()
})

test('a new server keeps an address that a closing server still held', async () => {
  const leaving = createServer()
  await network.listen(leaving, '10.0.0.5', 50000)
  const visitor = await visit(leaving)
  const hasGone = new Promise((resolve) => leaving.close(resolve))

  const next = createServer()
  opened.push({ destroy: () => next.close() })
  await network.listen(next, '10.0.0.5', 50000)
  visitor.destroy()
  await hasGone
  expect(network.resolve('10.0.0.5', 50000)).toEqual({ host: network.loopbackOf('10.0.0.5'), port: 50000 })
})

test('an address is held by one server, and free once that one has gone', async () => {
  const holder = createServer()
  await network.listen(holder, '10.0.0.5', 50000)
  await expect(network.listen(createServer(), '10.0.0.5', 50000)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await new Promise((resolve) => holder.close(resolve))
  expect(network.resolve('10.0.0.5', 50000)).toBeUndefined()
})

test('a server that waits for an address keeps nothing of the tries that failed', async () => {
  const holder = createServer()
  await network.listen(holder, '10.0.0.5', 50000)
  const waiting = createServer()
  const before = waiting.listenerCount('listening')
  for (let tries = 0; tries < 3; tries++) await network.listen(waiting, '10.0.0.5', 50000).catch(() => {})
  expect(waiting.listenerCount('listening')).toBe(before)
  await new Promise((resolve) => holder.close(resolve))
  opened.push({ destroy: () => waiting.close() })
  await network.listen(waiting, '10.0.0.5', 50000)
  expect(network.resolve('10.0.0.5', 50000)).toBeDefined()
})

/** An open connection, which keeps the server from closing. */
async function visit(server: Server): Promise<Socket> {
  const { address, port } = server.address() as AddressInfo
  const arrived = new Promise((resolve) => server.once('connection', resolve))
  const socket = connect(port, address).on('error', () => {})
  opened.push(socket)
  socket.write('GET / HTTP/1.1\r\n')
  await arrived
  return socket
}
