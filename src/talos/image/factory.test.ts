import { X509Certificate } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSimClock } from '../../simulator/core/clock.js'
import { createFaults } from '../../simulator/core/faults.js'
import { createLedger } from '../../simulator/core/ledger.js'
import { createLabNetwork } from '../../simulator/core/network.js'
import { createFactorySim } from '../../simulator/factory/index.js'
import { makeCertificate } from '../../simulator/proxmox/certificate.js'
import { connectFactory } from './factory.js'
import { imageUrl } from './image-url.js'
import { schematicFor, schematicId } from './schematic.js'

const signal = new AbortController().signal
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function aLab() {
  const faults = createFaults()
  const network = createLabNetwork({ scopes: [], prefix: 78 })
  const sim = await createFactorySim({
    clock: createSimClock({ speed: 10_000 }),
    network,
    faults,
    ledger: createLedger(),
  })
  closing.push(() => sim.close())
  return { faults, factory: connectFactory({ url: sim.url, clock }), url: sim.url }
}

async function aServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const schematic = schematicFor({
  extensions: ['qemu-guest-agent'],
  kernelArgs: ['-console', 'yes', 'a: b', '1', 'x #y', '%x'],
  meta: [{ key: 10, value: 'line one\nline two' }],
})
const choice = {
  schematic: schematicId(schematic),
  talosVersion: 'v1.13.9',
  platform: 'nocloud',
  arch: 'amd64',
} as const

test('a schematic is registered, and its image has a size and bytes', async () => {
  const { factory, url } = await aLab()
  expect(await factory.register(schematic, signal)).toBe(schematicId(schematic))
  const address = imageUrl({ ...choice, factoryUrl: url, format: 'qcow2' })
  expect(await factory.size(address, signal)).toBeGreaterThan(0)
  const { size, bytes } = await factory.download(address, signal)
  let received = 0
  for await (const chunk of bytes) received += chunk.byteLength
  expect(received).toBe(size)
})

test('versions and extensions are listed by name', async () => {
  const { factory } = await aLab()
  expect(await factory.versions(signal)).toContain('v1.13.9')
  expect(await factory.extensions('1.13.9', signal)).toContain('siderolabs/qemu-guest-agent')
})

test('an unknown extension is named when the image is asked for', async () => {
  const { factory, url } = await aLab()
  const wrong = schematicFor({ extensions: ['quemu'], kernelArgs: [] })
  await factory.register(wrong, signal)
  const address = imageUrl({ ...choice, schematic: schematicId(wrong), factoryUrl: url, format: 'qcow2' })
  await expect(factory.size(address, signal)).rejects.toThrow(
    'official extension "siderolabs/quemu" is not available for Talos version v1.13.9',
  )
})

test('a passing failure is tried again', async () => {
  const { factory, faults } = await aLab()
  faults.add({ match: {}, action: { kind: 'refuse' } })
  faults.add({ match: {}, action: { kind: 'cut-stream' } })
  expect(await factory.versions(signal)).toContain('v1.13.9')
})

test('a factory that stays busy is reported in its own words', async () => {
  const { factory, faults } = await aLab()
  faults.add({ match: {}, action: { kind: 'status', status: 503, message: 'busy building' }, times: 3 })
  await expect(factory.versions(signal)).rejects.toThrow('status 503: busy building')
})

test('a factory that is down is named, with what to do', async () => {
  const url = await aServer(() => {})
  await closing.pop()?.()
  await expect(connectFactory({ url, clock }).versions(signal)).rejects.toMatchObject({
    code: 'factory',
    where: expect.stringContaining(url),
    message: expect.stringContaining('cannot be reached'),
  })
})

test.each([
  [
    'a web page',
    (_, response) => response.setHeader('content-type', 'text/html').end('<html>log in</html>'),
    'a web page',
  ],
  ['half an answer', (_, response) => response.end('["v1.1'), 'not JSON'],
  ['another shape', (_, response) => response.end('{"a": 1}'), 'not a list'],
  ['a refusal', (_, response) => response.writeHead(403).end('denied\n'), 'status 403: denied'],
] satisfies [string, RequestListener, string][])('%s is reported for what it is', async (_, listener, problem) => {
  const factory = connectFactory({ url: await aServer(listener), clock })
  await expect(factory.versions(signal)).rejects.toThrow(problem)
})

test.each(['size', 'download'] as const)('a web page in place of an image is not taken for one by %s', async (call) => {
  const url = await aServer((_, response) => response.setHeader('content-type', 'text/html').end('<html>'))
  await expect(connectFactory({ url, clock })[call](`${url}/image`, signal)).rejects.toThrow(/answered with/)
})

test('another id than ours is refused', async () => {
  const url = await aServer((_, response) => response.writeHead(201).end(JSON.stringify({ id: 'a'.repeat(64) })))
  await expect(connectFactory({ url, clock }).register(schematic, signal)).rejects.toThrow('ichor computed')
})

test('redirects are followed', async () => {
  const url = await aServer((request, response) => {
    if (request.url === '/versions') response.writeHead(302, { location: '/cdn' }).end()
    else response.end('["v1.13.9"]')
  })
  expect(await connectFactory({ url, clock }).versions(signal)).toEqual(['v1.13.9'])
})

test('a private factory is trusted by its own CA or by its pin, and by nothing else', async () => {
  const { ca, certificate, key } = await makeCertificate([{ name: 'factory', addresses: ['127.0.0.1'] }])
  const server = createSecureServer({ cert: certificate, key }, (_, response) => response.end('["v1.13.9"]'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pin = new X509Certificate(certificate).fingerprint256
  expect(await connectFactory({ url, clock, trust: { ca } }).versions(signal)).toEqual(['v1.13.9'])
  expect(await connectFactory({ url, clock, trust: { pin } }).versions(signal)).toEqual(['v1.13.9'])
  await expect(connectFactory({ url, clock }).versions(signal)).rejects.toMatchObject({
    code: 'factory',
    where: expect.stringContaining(url),
  })
})

test('a cancelled call ends at once and with the reason', async () => {
  const url = await aServer(() => {})
  const aborted = AbortSignal.abort(new Error('enough'))
  await expect(connectFactory({ url, clock }).versions(aborted)).rejects.toThrow('enough')
})
