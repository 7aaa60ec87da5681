import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createDirectDialer } from './direct.js'
import { createSocksDialer } from './socks.js'

const signal = new AbortController().signal
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A proxy that sends these replies, at once or byte by byte, and records its input. */
async function proxyThatSays(answers: Buffer[], { slowly = false } = {}) {
  const heard: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes)
      const answer = answers.shift()
      if (answer === undefined) socket.end()
      else write(socket, answer, slowly)
    })
    socket.on('error', () => {})
    closing.push(() => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const { port } = server.address() as { port: number }
  return { heard, port }
}

function write(socket: Socket, bytes: Buffer, slowly: boolean): void {
  if (!slowly) socket.write(bytes)
  else for (const byte of bytes) setImmediate(() => socket.write(Buffer.from([byte])))
}

const dial = (port: number, host: string, login = {}) =>
  createSocksDialer({ host: '127.0.0.1', port, ...login }, createDirectDialer()).dial({ host, port: 50_000 }, signal)

const welcome = Buffer.from([5, 0])
const granted = Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
const portBytes = [0xc3, 0x50]

test.each([
  { host: '10.0.10.11', sent: [5, 1, 0, 1, 10, 0, 10, 11, ...portBytes] },
  { host: 'fd00::1', sent: [5, 1, 0, 4, 0xfd, ...Array(14).fill(0), 1, ...portBytes] },
  { host: 'cp.example', sent: [5, 1, 0, 3, 10, ...Buffer.from('cp.example'), ...portBytes] },
])('$host is asked for as it is: names are resolved by the proxy', async ({ host, sent }) => {
  const { heard, port } = await proxyThatSays([welcome, granted])
  const socket = await dial(port, host)
  expect(Buffer.concat(heard)).toEqual(Buffer.from([5, 1, 0, ...sent]))
  socket.destroy()
})

test('bytes that arrive right after the grant are not lost, however they are split', async () => {
  const { port } = await proxyThatSays([welcome, Buffer.concat([granted, Buffer.from('SSH-2.0')])], { slowly: true })
  const socket = await dial(port, '10.0.10.11')
  const said = await new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
      if (text.length === 7) resolve(text)
    })
  })
  expect(said).toBe('SSH-2.0')
  socket.destroy()
})

test('a proxy that is not there is not mistaken for the host behind it', async () => {
  await expect(dial(1, '10.0.10.11')).rejects.toMatchObject({
    reason: 'port-closed',
    message: 'The SOCKS proxy cannot be reached: 127.0.0.1 answers, but nothing listens on port 1.',
    where: 'proxmox.socks (127.0.0.1:1)',
  })
})

test('a user and password are shown when they are given', async () => {
  const { heard, port } = await proxyThatSays([Buffer.from([5, 2]), Buffer.from([1, 0]), granted])
  const socket = await dial(port, '10.0.10.11', { username: 'me', password: 'pw' })
  expect(heard[1]).toEqual(Buffer.from([1, 2, ...Buffer.from('me'), 2, ...Buffer.from('pw')]))
  socket.destroy()
})

test.each([
  { answers: [welcome, Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])], reason: 'port-closed' },
  { answers: [welcome, Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0])], reason: 'refused-forward' },
  { answers: [welcome, Buffer.from([5, 4, 0, 1, 0, 0, 0, 0, 0, 0])], reason: 'unreachable' },
  { answers: [welcome, Buffer.from([5, 9, 0, 1, 0, 0, 0, 0, 0, 0])], reason: 'proxy-refused' },
  { answers: [Buffer.from([5, 0xff])], reason: 'proxy-refused' },
  { answers: [Buffer.from('HTTP/1.1 400 Bad Request')], reason: 'proxy-refused' },
  { answers: [], reason: 'cut' },
])('a proxy that does not help is reported as $reason', async ({ answers, reason }) => {
  const { port } = await proxyThatSays([...answers])
  await expect(dial(port, '10.0.10.11')).rejects.toMatchObject({ name: 'ReachError', reason })
})
