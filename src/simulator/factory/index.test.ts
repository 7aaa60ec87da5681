import { afterEach, beforeEach, expect, test } from 'vitest'
import { newestTalosMinor, oldestTalosMinor } from '../../cluster/version.js'
import { createSimClock } from '../core/clock.js'
import { createFaults } from '../core/faults.js'
import { createLedger } from '../core/ledger.js'
import { decodeMedium } from '../core/medium.js'
import { createLabNetwork } from '../core/network.js'
import { createFactorySim, type FactorySim } from './index.js'

const agent = 'customization:\n  systemExtensions:\n    officialExtensions: [siderolabs/qemu-guest-agent]\n'
const agentId = 'ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515'
const faults = createFaults()
const ledger = createLedger()
let sim: FactorySim
const start = (saved?: unknown) =>
  createFactorySim({
    clock: createSimClock({ speed: 10_000 }),
    network: createLabNetwork({ scopes: [], prefix: 77 }),
    faults,
    ledger,
    ...(saved === undefined ? {} : { saved }),
  })
const post = (body: string) => fetch(`${sim.url}/schematics`, { method: 'POST', body })
const image = (path: string, method = 'GET') => fetch(`${sim.url}/image/${path}`, { method })

beforeEach(async () => {
  faults.clear()
  sim = await start()
})
afterEach(() => sim.close())

test.each([
  ['{}', '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'],
  [agent, agentId],
  [
    '{"customization": {"extraKernelArgs": ["noapic", "nolapic"]}}',
    '9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c',
  ],
  [
    'customization: {meta: [{key: 10, value: foo}]}',
    'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
  ],
  [
    'customization: {}\noverlay: {name: rpi_generic, image: siderolabs/sbc-raspberrypi}',
    'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
  ],
])('%j gets the id that the public factory gives', async (body, id) => {
  const answer = await post(body)
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ id })
  expect((await fetch(`${sim.url}/schematics/${id}`)).status).toBe(200)
})

test('a field that the factory does not know is refused', async () => {
  const answer = await post('customization:\n  kernelArgs: [a]\n')
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('field kernelArgs not found in type schematic.Customization')
})

test('an image is built only for a schematic that was registered', async () => {
  expect((await image(`${agentId}/v1.13.9/nocloud-amd64.qcow2`)).status).toBe(404)
  await post(agent)
  const head = await image(`${agentId}/v1.13.9/nocloud-amd64.qcow2`, 'HEAD')
  const answer = await image(`${agentId}/1.13.9/nocloud-amd64.qcow2`)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(Number(head.headers.get('content-length'))).toBe(bytes.byteLength)
  expect(decodeMedium(bytes)).toMatchObject({
    kind: 'disk-image',
    talos: 'v1.13.9',
    platform: 'nocloud',
    extensions: ['siderolabs/qemu-guest-agent'],
    virtualSize: 1246 * 1024 ** 2,
  })
})

test.each([
  ['v1.13.9/metal-arm64-secureboot.iso', { kind: 'iso', platform: 'metal', arch: 'arm64', secureBoot: true }],
  ['v1.14.0-rc.1/nocloud-amd64.raw.zst', { kind: 'disk-image', talos: 'v1.14.0-rc.1', secureBoot: false }],
])('%s contains what its name says', async (path, expected) => {
  await post(agent)
  const bytes = new Uint8Array(await (await image(`${agentId}/${path}`)).arrayBuffer())
  expect(decodeMedium(bytes)).toMatchObject(expected)
})

test.each([
  ['v1.13.9/nocloud-amd64.qcow2.sha256', 402],
  ['v1.13.9/nocloud-amd64.qcow2.sigstore.json', 402],
  ['v1.13.99/nocloud-amd64.qcow2', 404],
  ['v1.13.9/aws-amd64.qcow2', 400],
])('%s is refused with %i', async (path, status) => {
  await post(agent)
  expect((await image(`${agentId}/${path}`)).status).toBe(status)
})

test('an unknown extension is found out only when the image is built', async () => {
  const { id } = (await (await post(agent.replace('qemu', 'quemu'))).json()) as { id: string }
  const answer = await image(`${id}/v1.13.9/nocloud-amd64.qcow2`)
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('"siderolabs/quemu-guest-agent" is not available for Talos version v1.13.9')
})

test('versions and extensions are listed', async () => {
  expect(await (await fetch(`${sim.url}/versions`)).json()).toContain('v1.8.2')
  const extensions = (await (await fetch(`${sim.url}/version/v1.13.9/extensions/official`)).json()) as {
    name: string
  }[]
  expect(extensions.map(({ name }) => name)).toContain('siderolabs/iscsi-tools')
})

test('what was registered survives being saved and started again', async () => {
  await post(agent)
  const again = await start(sim.save())
  expect((await fetch(`${again.url}/schematics/${agentId}`)).status).toBe(200)
  await again.close()
})

test('an installer can be pulled once its schematic is registered', async () => {
  const reference = `127.0.0.1:1/nocloud-installer/${agentId}:v1.13.9`
  expect(sim.findInstaller(reference)).toBeUndefined()
  await post(agent)
  expect(sim.findInstaller(reference)).toMatchObject({ talos: 'v1.13.9', platform: 'nocloud' })
  expect(sim.findInstaller('ghcr.io/siderolabs/installer:v1.13.9')).toBeUndefined()
})

test('faults apply here, too, and every call is in the ledger', async () => {
  faults.add({ match: { surface: 'factory' }, action: { kind: 'status', status: 503, message: 'busy' } })
  expect((await fetch(`${sim.url}/versions`)).status).toBe(503)
  faults.add({ match: { path: '^/schematics$' }, action: { kind: 'drop-answer' } })
  await expect(post(agent)).rejects.toThrow()
  expect((await fetch(`${sim.url}/schematics/${agentId}`)).status).toBe(200)
  expect(ledger.entries().at(-2)).toMatchObject({ surface: 'factory', subject: '/schematics', mutating: true })
})

test('every minor version that an inventory may name can be had, with the releases that others judge us by', async () => {
  const versions = (await (await fetch(`${sim.url}/versions`)).json()) as string[]
  const minors = Array.from({ length: newestTalosMinor - oldestTalosMinor + 1 }, (_, index) => oldestTalosMinor + index)
  expect(minors.filter((minor) => !versions.some((version) => version.startsWith(`v1.${minor}.`)))).toEqual([])
  expect(versions).toEqual(expect.arrayContaining(['v1.13.9', 'v1.14.1']))
})
