import { afterEach, expect, test, vi } from 'vitest'
import { allOf, at, portTo, serve, signal, versionRoute } from '../../../tests/support/talos-client.js'
import { MachineService } from '../../wire/machine/machine_pb.js'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Advances the session's clock since its last use. */
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

test('a stream that closes without a response and without an error fails at once', async () => {
  const server = await serve((router) => router.service(MachineService, {}), { closesStreams: true })
  const node = portTo(server).node(at(server))
  await expect(allOf(node.dmesg({ follow: true, tail: false }, signal))).rejects.toMatchObject({
    grpcCode: 'Unavailable',
  })
})

/** Advances a session by minutes in an instant, with pauses for pending network traffic. */
async function passMinutes(minutes: number): Promise<void> {
  for (let second = 0; second < minutes * 60; second += 10) {
    vi.advanceTimersByTime(10_000)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

test('a stream without news stays open, although the server ends connections that are pinged too often', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  let send = () => {}
  const news = new Promise<void>((resolve) => {
    send = resolve
  })
  const server = await serve(
    (router) =>
      router.service(MachineService, {
        async *dmesg() {
          yield { bytes: Buffer.from('first') }
          await news
          yield { bytes: Buffer.from('second') }
        },
      }),
    { limitsPings: true },
  )
  const node = portTo(server).node(at(server))
  const heard: string[] = []
  const reading = (async () => {
    for await (const line of node.dmesg({ follow: true, tail: false }, signal)) heard.push(Buffer.from(line).toString())
  })()
  await expect.poll(() => heard).toEqual(['first'])
  await passMinutes(30)
  send()
  await reading
  expect(heard).toEqual(['first', 'second'])
  expect(server.connections()).toBe(1)
})

test('calls that got no answer do not use up the pings: the connection is replaced before it is asked too often', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  let isAnswering = true
  const version = versionRoute('v1.13.9').version
  const server = await serve(
    (router) =>
      router.service(MachineService, { version: () => (isAnswering ? version() : new Promise<never>(() => {})) }),
    { limitsPings: true },
  )
  const node = portTo(server).node(at(server))
  await node.version(signal)
  isAnswering = false
  for (let call = 0; call < 6; call++) {
    vi.advanceTimersByTime(11_000)
    const stop = new AbortController()
    const asked = node.version(stop.signal)
    setTimeout(() => stop.abort(new Error('stopped')), 20)
    await expect(asked).rejects.toThrow('stopped')
  }
  isAnswering = true
  expect(await node.version(signal)).toMatchObject({ tag: 'v1.13.9' })
  expect(server.endedForPings()).toBe(0)
})
