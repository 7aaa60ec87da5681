import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { at, clock, nodeWith, portTo, serve, signal, versionRoute } from '../../../tests/support/talos-client.js'
import { createDirectDialer } from '../../reach/direct.js'
import { MachineService } from '../../wire/machine/machine_pb.js'
import { connectTalos } from './connect.js'
import { TalosError } from './talos-error.js'

test('a configured node reports its version over mutual TLS, and calls share one connection', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).node(at(server))
  const answers = await Promise.all(Array.from({ length: 20 }, () => node.version(signal)))
  expect(answers[0]).toEqual({ tag: 'v1.13.9', platform: 'nocloud', mode: 'cloud', arch: 'amd64' })
  expect(server.connections()).toBe(1)
})

test('after a cut the next call dials again', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const node = portTo(server).node(at(server))
  await node.version(signal)
  server.cut()
  await expect
    .poll(() =>
      node.version(signal).then(
        ({ tag }) => tag,
        () => 'cut',
      ),
    )
    .toBe('v1.13.9')
  expect(server.connections()).toBe(2)
})

test('a connection that breaks during a stream is a transient error', async () => {
  const server = await serve((router) =>
    router.service(MachineService, {
      async *dmesg() {
        yield { bytes: Buffer.from('booting\n') }
        await new Promise(() => {})
      },
    }),
  )
  const node = portTo(server).node(at(server))
  const read = async () => {
    for await (const _ of node.dmesg({ follow: true, tail: false }, signal)) server.cut()
  }
  const error = await read().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TalosError)
  expect(error).toMatchObject({ machine: 'dev-cp-1', isTransient: true, grpcCode: 'Unavailable' })
})

test('a refusal names machine, address, code and what to do', async () => {
  const server = await serve((router) =>
    router.service(MachineService, {
      bootstrap() {
        throw new ConnectError('time is not in sync yet', Code.FailedPrecondition)
      },
    }),
  )
  const node = portTo(server).node(at(server))
  const error = await node.bootstrap({ recoverEtcd: false, skipHashCheck: false }, signal).catch((thrown) => thrown)
  expect(error).toMatchObject({
    message: 'dev-cp-1: Bootstrap is not possible yet: time is not in sync yet',
    where: `dev-cp-1 (127.0.0.1:${server.port}), gRPC code FailedPrecondition`,
    fix: expect.stringContaining('Wait'),
    isTransient: true,
    exitCode: 1,
  })
})

test('an unreachable node is an error with the reason of the network', async () => {
  const server = await serve((router) => router.service(MachineService, {}))
  const port = portTo(server)
  await server.close()
  const error = await port
    .node(at(server))
    .version(signal)
    .catch((thrown) => thrown)
  expect(error).toMatchObject({ grpcCode: 'Unavailable', isTransient: true })
  expect(error.message).toContain(`nothing listens on port ${server.port}`)
})

test('the certificate of another cluster is refused by us, and ours by another node', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const other = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const foreignCa = portTo(other).node(at(server))
  await expect(foreignCa.version(signal)).rejects.toThrow('signed by an untrusted CA')

  const wrongClient = portTo(server, other.admin).node(at(server))
  const error = await wrongClient.version(signal).catch((thrown) => thrown)
  expect(error).toMatchObject({
    grpcCode: 'Unavailable',
    fix: expect.stringContaining('does not accept the certificate of ichor'),
  })
})

test('secrets that are missing are reported as such, and not as a failure of the node', async () => {
  const credentials = async () => Promise.reject(new Error('the cluster has no secrets yet'))
  const port = connectTalos({ dialer: createDirectDialer(), clock, credentials })
  const node = port.node({ machine: 'dev-cp-1', address: '127.0.0.1' })
  await expect(node.version(signal)).rejects.toThrow('dev-cp-1: Version failed: the cluster has no secrets yet.')
})

test('an expired client certificate is reported before anything is dialled', async () => {
  const server = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')))
  const expired = await server.ca.issueClient(['os:admin'], { expired: true })
  await expect(portTo(server, expired).node(at(server)).version(signal)).rejects.toThrow(/expired on/)
  expect(server.connections()).toBe(0)
})

test('a call ends when its signal fires, with the reason of the signal', async () => {
  const node = await nodeWith((router) => router.service(MachineService, { version: () => new Promise(() => {}) }))
  const stop = new AbortController()
  const call = node.version(stop.signal)
  setTimeout(() => stop.abort(new Error('the user pressed Ctrl-C')), 50)
  await expect(call).rejects.toThrow('the user pressed Ctrl-C')
})
