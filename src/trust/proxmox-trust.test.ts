import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Inventory, loadInventory } from '../inventory/index.js'
import { startTinyServer, type TinyServer } from '../proxmox/client/testing/tiny-server.js'
import { createDirectDialer } from '../reach/direct.js'
import { proxmoxTrust, type UnknownHost } from './proxmox-trust.js'
import { type StateFile, stateFile } from './state-folder.js'

const dialer = createDirectDialer()
let server: TinyServer
let folder: string
let state: string
let memory: StateFile
let asked: UnknownHost[]

beforeEach(async () => {
  server = await startTinyServer()
  folder = await mkdtemp(join(tmpdir(), 'ichor-trust-'))
  state = await mkdtemp(join(tmpdir(), 'ichor-state-'))
  memory = stateFile([state], 'trust.json')
  asked = []
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
  await rm(state, { recursive: true, force: true })
})

async function anInventory(proxmox: Readonly<Record<string, unknown>> = {}): Promise<Inventory> {
  const settings = { endpoint: server.endpoint, ...proxmox }
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev\nnetwork: { cidr: 10.0.0.0/24, gateway: 10.0.0.1 }\nproxmox: ${JSON.stringify(settings)}\n`,
  )
  return loadInventory(folder, { env: {} })
}

const answering = (answer: boolean) => async (unknown: UnknownHost) => {
  asked.push(unknown)
  return answer
}

test('an unverified host is trusted once the user confirms it, and never asked about again', async () => {
  const inventory = await anInventory()
  const trust = await proxmoxTrust(inventory, { dialer, memory, askTrust: answering(true) })
  const [unknown] = asked
  expect(unknown?.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
  expect(trust).toEqual({ kind: 'fingerprint', sha256: unknown?.fingerprint })
  expect(await proxmoxTrust(inventory, { dialer, memory, askTrust: answering(false) })).toEqual(trust)
  expect(asked).toHaveLength(1)
  expect(await readdir(folder)).toEqual(['cluster.yaml'])
  const kept = JSON.parse(await readFile(join(state, 'trust.json'), 'utf8'))
  expect(kept).toEqual({ [server.endpoint.slice('https://'.length)]: unknown?.fingerprint })
})

test.each([
  ['without anybody to ask', undefined],
  ['when the person says no', answering(false)],
])('%s the host is refused, with the fingerprint to compare', async (_, askTrust) => {
  const inventory = await anInventory()
  const refused = proxmoxTrust(inventory, { dialer, memory, ...(askTrust === undefined ? {} : { askTrust }) })
  await expect(refused).rejects.toMatchObject({
    message: expect.stringMatching(/its fingerprint is ([0-9A-F]{2}:){31}/),
    fix: expect.stringContaining('proxmox.fingerprint'),
    exitCode: 2,
  })
})

test.each([
  [{ fingerprint: Array(32).fill('AB').join(':') }, 'fingerprint'],
  [{ insecure: true }, 'insecure'],
])('what the inventory says counts, and nobody is dialled: %j', async (proxmox, kind) => {
  expect(await proxmoxTrust(await anInventory(proxmox), { dialer, memory })).toMatchObject({ kind })
  expect(server.connections()).toBe(0)
})

test('a host that does not answer is left to the call that follows', async () => {
  const inventory = await anInventory({ endpoint: 'https://127.0.0.1:1' })
  expect(await proxmoxTrust(inventory, { dialer, memory, askTrust: answering(true) })).toEqual({ kind: 'system' })
  expect(asked).toEqual([])
})

test('a damaged list of known hosts is empty', async () => {
  const inventory = await anInventory()
  await proxmoxTrust(inventory, { dialer, memory, askTrust: answering(true) })
  await writeFile(join(state, 'trust.json'), '{')
  await expect(proxmoxTrust(inventory, { dialer, memory })).rejects.toThrow('its fingerprint is')
})

test.each(['', '# no certificate yet\n'])(
  'an authority file with %j in it is refused: it would mean any authority',
  async (text) => {
    await writeFile(join(folder, 'ca.pem'), text)
    const refused = proxmoxTrust(await anInventory({ ca: 'ca.pem' }), { dialer, memory })
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining('holds no certificate'),
      exitCode: 2,
    })
  },
)
