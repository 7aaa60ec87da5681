import { createHash, X509Certificate } from 'node:crypto'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCa, type PemPair, type TestCa } from '../../tests/support/node-certificates.js'
import { createDirectDialer } from './direct.js'
import { readableKey, type SecureOptions, secureConnect, type Trust } from './tls.js'

const signal = new AbortController().signal
const dialer = createDirectDialer()
let ca: TestCa
let leaf: PemPair
let target: { host: string; port: number }
let received = 0
const sockets = new Set<Socket>()
const server = createServer({ ALPNProtocols: ['h2'] }, (socket) => {
  socket.on('data', (bytes) => {
    received += bytes.length
  })
  socket.on('error', () => {})
})

beforeAll(async () => {
  ca = await createTestCa()
  leaf = await ca.issueServer()
  server.setSecureContext({ cert: leaf.crt, key: readableKey(leaf.key) })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target = { host: '127.0.0.1', port: (server.address() as { port: number }).port }
})
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function tryToConnect(trust: Trust, over: Partial<SecureOptions> = {}): Promise<string> {
  const attempt: Promise<TLSSocket> = secureConnect(dialer, target, { trust, alpn: ['h2'], ...over }, signal)
  return attempt.then(
    (socket) => {
      socket.destroy()
      return `connected, ${socket.alpnProtocol}`
    },
    (error: { reason: string }) => error.reason,
  )
}

const certificatePin = () => new X509Certificate(leaf.crt).fingerprint256
const publicKeyPin = () =>
  createHash('sha256')
    .update(new X509Certificate(leaf.crt).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

test('the CA of the cluster is trusted, another one is not', async () => {
  expect(await tryToConnect({ ca: ca.crt })).toBe('connected, h2')
  expect(await tryToConnect({ ca: (await createTestCa()).crt })).toBe('untrusted')
  expect(await tryToConnect({})).toBe('untrusted')
})

test('the certificate must be for the name that is expected, which need not be the address that is dialled', async () => {
  expect(await tryToConnect({ ca: ca.crt }, { servername: 'localhost' })).toBe('connected, h2')
  expect(await tryToConnect({ ca: ca.crt }, { servername: 'kube.example' })).toBe('untrusted')
  expect(await tryToConnect({ ca: ca.crt }, { servername: '10.0.10.10' })).toBe('untrusted')
})

test('a pin is the hash of the certificate in hex, or of the public key in base64', async () => {
  expect(await tryToConnect({ pin: certificatePin() })).toBe('connected, h2')
  expect(await tryToConnect({ pin: certificatePin().replaceAll(':', '').toLowerCase() })).toBe('connected, h2')
  expect(await tryToConnect({ pin: publicKeyPin() })).toBe('connected, h2')
})

test('with a wrong pin not one byte of ours is sent', async () => {
  received = 0
  expect(await tryToConnect({ pin: certificatePin().replace(/^../, '00') })).toBe('wrong-pin')
  expect(await tryToConnect({ pin: '' })).toBe('wrong-pin')
  expect(received).toBe(0)
})

test('what does not speak TLS, and what hangs up, is reported', async () => {
  const plain = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const at = { host: '127.0.0.1', port: (plain.address() as { port: number }).port }
  const refused = secureConnect(dialer, at, { trust: { insecure: true } }, signal)
  await expect(refused).rejects.toMatchObject({ name: 'ReachError', reason: 'refused-handshake' })
  plain.close()
})
