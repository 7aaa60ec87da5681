import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Dialer, Target } from '../../reach/dialer.js'
import { createDialer } from '../../reach/index.js'
import { createLabNetwork } from '../core/network.js'
import { openSocks, openSsh } from './index.js'
import { carry } from './lab-door.js'

const signal = new AbortController().signal
const network = createLabNetwork({ scopes: [], prefix: 77 })
const echo = createServer((socket) => socket.pipe(socket))
const hosts = { 'api.dev.example': '10.0.10.11' }
const closing: (() => Promise<void>)[] = []
let folder: string

beforeAll(async () => {
  await network.listen(echo, '10.0.10.11', 50_000)
  folder = await mkdtemp(join(tmpdir(), 'ichor-test-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(async () => {
  echo.close()
  await rm(folder, { recursive: true })
})

async function throughSocks(): Promise<{ dialer: Dialer; cut: () => void }> {
  const entrance = await openSocks({ network, hosts })
  const dialer = createDialer({ socks: entrance })
  closing.push(entrance.close, () => dialer.close())
  return { dialer, cut: entrance.cut }
}

async function throughSsh(): Promise<{ dialer: Dialer; cut: () => void }> {
  const entrance = await openSsh({ network, hosts })
  const key = join(folder, `key-${entrance.port}`)
  await writeFile(key, entrance.privateKey, { mode: 0o600 })
  const { user, host, port, hostKey } = entrance
  const dialer = createDialer({ ssh: { user, host, port, hostKey, key } })
  closing.push(entrance.close, () => dialer.close())
  return { dialer, cut: entrance.cut }
}

async function say(dialer: Dialer, target: Target, words: string): Promise<string> {
  const socket = await dialer.dial(target, signal)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (bytes) => {
      resolve(bytes.toString())
      socket.destroy()
    })
    socket.write(words)
  })
}

const entrances = [
  { entrance: 'SOCKS', open: throughSocks },
  { entrance: 'SSH', open: throughSsh },
]

test.each(entrances)('$entrance leads to the addresses and names of the lab', async ({ open }) => {
  const { dialer } = await open()
  expect(await say(dialer, { host: '10.0.10.11', port: 50_000 }, 'hello')).toBe('hello')
  expect(await say(dialer, { host: 'api.dev.example', port: 50_000 }, 'by name')).toBe('by name')
})

test.each(entrances)(
  '$entrance refuses what does not listen in the lab, whatever this computer has',
  async ({ open }) => {
    const { dialer } = await open()
    const outside = createServer()
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => outside.close(() => resolve())))
    const { port } = outside.address() as { port: number }
    for (const target of [
      { host: '10.0.10.12', port: 50_000 },
      { host: '10.0.10.11', port: 6443 },
      { host: '127.0.0.1', port },
      { host: 'localhost', port },
    ]) {
      await expect(dialer.dial(target, signal)).rejects.toMatchObject({ name: 'ReachError' })
    }
  },
)

test.each(entrances)('after a cut of $entrance the same dialer gets through again', async ({ open }) => {
  const { dialer, cut } = await open()
  const target = { host: '10.0.10.11', port: 50_000 }
  const socket = await dialer.dial(target, signal)
  const gone = new Promise((resolve) => socket.once('close', resolve))
  socket.resume()
  cut()
  await gone
  expect(await say(dialer, target, 'again')).toBe('again')
})

const target = { host: '10.0.10.11', port: 50_000 }

function notWithin(ms: number, promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(() => resolve('nothing'), ms))])
}

test.each(entrances)('a cut of $entrance swallows new connections until it is repaired', async ({ open }) => {
  const { dialer } = await open()
  const cut = network.cuts.add({ from: ['operator'], to: ['10.0.10.11'] })
  const said = say(dialer, target, 'hello')
  expect(await notWithin(100, said)).toBe('nothing')
  network.cuts.remove(cut)
  expect(await said).toBe('hello')
})

test.each(entrances)('a cut of $entrance that refuses says so at once, and resets what is open', async ({ open }) => {
  const { dialer } = await open()
  const socket = await dialer.dial(target, signal)
  socket.on('error', () => {})
  const gone = once(socket, 'close')
  socket.resume()
  const cut = network.cuts.add({ from: ['operator'], to: ['10.0.10.11'], how: 'refuse' })
  await gone
  await expect(dialer.dial(target, signal)).rejects.toMatchObject({ name: 'ReachError' })
  network.cuts.remove(cut)
})

test('where only answers are lost, what was asked arrives all the same', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      heard.push(bytes.toString())
      socket.write('done')
    })
  })
  await network.listen(server, '10.0.10.13', 50_000)
  closing.push(() => new Promise((resolve) => server.close(() => resolve())))
  const { dialer } = await throughSocks()
  const socket = await dialer.dial({ host: '10.0.10.13', port: 50_000 }, signal)
  const cut = network.cuts.add({ from: ['10.0.10.13'], to: ['operator'], oneWay: true })
  const answered = once(socket, 'data')
  socket.write('delete it')
  await expect.poll(() => heard).toEqual(['delete it'])
  expect(await notWithin(50, answered)).toBe('nothing')
  network.cuts.remove(cut)
  expect(String(await answered)).toBe('done')
  socket.destroy()
})

test('an address that is there twice answers by turns', async () => {
  const other = createServer((socket) => socket.end('I am another'))
  await network.listen(other, '10.0.10.14', 50_000)
  closing.push(() => new Promise((resolve) => other.close(() => resolve())))
  const { dialer } = await throughSocks()
  network.duplicate('10.0.10.11', '10.0.10.14')
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await say(dialer, target, 'hello'))
  expect(answers).toEqual(['hello', 'I am another', 'hello', 'I am another'])
  network.duplicate('10.0.10.11', false)
  expect(await say(dialer, target, 'alone')).toBe('alone')
})

test.each(['client', 'inside'] as const)('where the %s has gone already, the other side goes too', async (gone) => {
  const sides = { client: new PassThrough(), inside: new PassThrough() }
  const closed = once(sides[gone], 'close')
  sides[gone].destroy()
  await closed
  carry(sides.client, sides.inside)
  expect([sides.client.destroyed, sides.inside.destroyed]).toEqual([true, true])
})

test('a SOCKS client may speak in single bytes', async () => {
  const entrance = await openSocks({ network })
  closing.push(entrance.close)
  const client = connect({ host: entrance.host, port: entrance.port, noDelay: true })
  const answer = new Promise<string>((resolve) => {
    let text = ''
    client.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (text.endsWith('hello')) resolve(text)
    })
  })
  for (const byte of [5, 1, 0, 5, 1, 0, 1, 10, 0, 10, 11, 0xc3, 0x50, ...Buffer.from('hello')]) {
    client.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await answer).toMatch(/hello$/)
  client.destroy()
})

/** What a client gets that sends these bytes to the entrance. */
async function sendTo(request: string, until: RegExp): Promise<string> {
  const entrance = await openSocks({ network, hosts })
  closing.push(entrance.close)
  const client = connect({ host: entrance.host, port: entrance.port })
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    client.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (until.test(text)) resolve(text)
    })
    client.on('end', () => resolve(text))
    client.write(request)
  })
  client.destroy()
  return answer
}

// Seen: Talos's client in OpenTofu's provider and in `talosctl rotate-ca`, with HTTPS_PROXY=socks5://….
test('the SOCKS port takes CONNECT of HTTP, and what follows in the same packet passes', async () => {
  const head = 'Host: x\r\nUser-Agent: grpc-go/1.82\r\n\r\n'
  expect(await sendTo(`CONNECT 10.0.10.11:50000 HTTP/1.1\r\n${head}hello`, /hello$/)).toBe(
    'HTTP/1.1 200 Connection established\r\n\r\nhello',
  )
  expect(await sendTo(`CONNECT api.dev.example:50000 HTTP/1.1\r\n${head}by name`, /by name$/)).toMatch(/ 200 /)
})

test.each([
  ['CONNECT 10.0.10.12:50000', '502 Bad Gateway'],
  ['CONNECT 127.0.0.1:22', '502 Bad Gateway'],
  ['CONNECT nowhere', '400 Bad Request'],
  ['GET http://10.0.10.11:50000/', '405 Method Not Allowed'],
])('%s is answered with %s', async (request, status) => {
  expect(await sendTo(`${request} HTTP/1.1\r\n\r\n`, /\r\n\r\n$/)).toMatch(`HTTP/1.1 ${status}`)
})
