import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectDialer } from '../../../reach/direct.js'
import { failureOf } from '../testing/failure-of.js'
import { connectTo, gives, startTinyServer, type TinyServer, testFile } from '../testing/tiny-server.js'
import { fetchFingerprint } from './trust.js'

const directDialer = createDirectDialer()
const signal = new AbortController().signal
const version = gives({ version: '9.2.3', release: '9.2', repoid: 'x' })

let server: TinyServer
beforeEach(async () => {
  server = await startTinyServer()
  server.on.set('GET /version', version)
})
afterEach(() => server.close())

test('a pinned certificate passes, another is refused before a byte is sent, and neither is tried twice', async () => {
  const sha256 = await fetchFingerprint(server.endpoint, directDialer, signal)
  const pinned = connectTo([server], { trust: { kind: 'fingerprint', sha256: sha256.toLowerCase() } })
  expect((await pinned.cluster.version(signal)).major).toBe(9)
  await pinned.close()
  const wrong = connectTo([server], { trust: { kind: 'fingerprint', sha256: sha256.replaceAll('A', 'B') } })
  const before = server.seen.length
  const error = await failureOf(wrong.cluster.version(signal))
  expect(error.kind).toBe('untrusted')
  expect(error.message).toContain('another certificate than the one that was pinned')
  expect(server.seen.length).toBe(before)
})

test.each([
  ['system', 'host', 'self-signed'],
  ['ca', 'expired', 'has expired'],
] as const)('trust by %s refuses the %s certificate: %s', async (kind, certificate, means) => {
  const other = await startTinyServer(certificate)
  other.on.set('GET /version', version)
  const trust = kind === 'ca' ? { kind, pem: testFile(`${certificate}.crt`) } : { kind }
  const error = await failureOf(connectTo([other], { trust }).cluster.version(signal))
  expect(error.message).toContain(means)
  await other.close()
})

test('trust by CA accepts what the CA signed', async () => {
  const trusting = connectTo([server], { trust: { kind: 'ca', pem: testFile('host.crt') } })
  expect((await trusting.cluster.version(signal)).major).toBe(9)
  await trusting.close()
})

test('a plain HTTP server on that port is reported from a Proxmox', async () => {
  const plain: Server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const endpoint = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`
  const error = await failureOf(connectTo([], { endpoints: [endpoint] }).cluster.version(signal))
  expect(error.kind).toBe('not-proxmox')
  plain.closeAllConnections()
  plain.close()
})
