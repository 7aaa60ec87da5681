import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { createBridge, splice } from './bridge.js'

/** A stream that replies with its own name to all input. */
function namedStream(name: string): Duplex {
  const answers = new PassThrough()
  const hears = new PassThrough()
  hears.once('data', () => answers.end(name))
  return Duplex.from({ readable: answers, writable: hears })
}

test('many streams that are bridged at once each keep their own socket', async () => {
  const bridge = createBridge()
  const names = Array.from({ length: 30 }, (_, index) => `stream ${index}`)
  const sockets = await Promise.all(names.map((name) => bridge.toSocket(namedStream(name))))
  const heard = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.once('data', (bytes) => resolve(bytes.toString()))
          socket.write('who are you')
        }),
    ),
  )
  expect(heard).toEqual(names)
  for (const socket of sockets) socket.destroy()
  await bridge.close()
})

test.each([0, 1])('where one side hung up before they met, the other hangs up too', async (gone) => {
  const sides = [new PassThrough(), new PassThrough()] as const
  const closed = once(sides[gone] ?? sides[0], 'close')
  sides[gone]?.destroy()
  await closed
  splice(...sides)
  expect(sides.map(({ destroyed }) => destroyed)).toEqual([true, true])
})

test('a stream that breaks ends its socket, and a closed bridge leaves no folder behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-test-'))
  vi.stubEnv('TMPDIR', folder)
  const bridge = createBridge()
  const stream = new PassThrough()
  const socket = await bridge.toSocket(stream)
  expect(await readdir(folder)).toHaveLength(1)
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.resume()
  stream.destroy(new Error('cut'))
  await gone
  await bridge.close()
  expect(await readdir(folder)).toEqual([])
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})
