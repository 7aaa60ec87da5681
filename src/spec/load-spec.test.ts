import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadInventory } from '../inventory/index.js'
import { loadSpec } from './load-spec.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ichor-spec-'))
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
talos:
  registries:
    - { host: docker.io, mirrors: [https://mirror.example.com], ca: mirror.pem }
`,
  )
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const spec = async () =>
  loadSpec(await loadInventory(folder, { env: {} }), {
    env: {},
    world: { secrets: { find: async () => undefined } },
    isLab: false,
  })

test('the configs carry the CA of a registry mirror, not the path of its file', async () => {
  await writeFile(join(folder, 'mirror.pem'), 'the certificate')
  expect((await spec()).inventory.settings.talos.registries[0]?.ca).toBe('the certificate')
})

test('a CA that is not there is reported with its place in the inventory', async () => {
  await expect(spec()).rejects.toMatchObject({ where: expect.stringContaining('talos.registries[0].ca') })
})

const root = { filename: 'pve-root-ca.pem', subject: '/CN=PVE', issuer: '/CN=PVE', pem: 'the authority' }
const own = { filename: 'pveproxy-ssl.pem', subject: '/CN=pve1', issuer: '/CN=Public', pem: 'the certificate' }
const pin =
  'fingerprint: "AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99"'

test.each([
  { what: 'the authority of the cluster', shown: [root], proxmox: '', carried: 'the authority' },
  { what: 'nothing where a known authority vouches', shown: [root, own], proxmox: '', carried: undefined },
  { what: 'a pinned certificate itself', shown: [root, own], proxmox: `, ${pin}`, carried: 'the certificate' },
  { what: 'nothing where nothing is verified', shown: [root], proxmox: ', insecure: true', carried: undefined },
])('controllers that talk to Proxmox are given $what', async ({ shown, proxmox, carried }) => {
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
proxmox: { endpoint: "https://10.0.10.250:8006"${proxmox} }
addons: { proxmox_ccm: true }
`,
  )
  const { addons } = await loadSpec(await loadInventory(folder, { env: {} }), {
    env: {},
    world: { secrets: { find: async () => undefined }, proxmox: { hosts: { certificates: async () => shown } } },
    isLab: true,
  })
  const text = JSON.stringify(addons)
  expect(text.includes('the authority') || text.includes('the certificate')).toBe(carried !== undefined)
  if (carried !== undefined) expect(text).toContain(`"ca.crt":"${carried}"`)
})
