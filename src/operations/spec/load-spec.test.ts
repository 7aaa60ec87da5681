import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestCa } from '../../../tests/support/node-certificates.js'
import { loadInventory } from '../../inventory/index.js'
import { aBundle } from '../../talos/config/testdata/a-machine.js'
import type { World } from '../../world.js'
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
    world: { secrets: { find: async () => undefined, settleAddon: async () => {} } },
    isLab: false,
  })

test('the configs carry the CA of a registry mirror, not the path of its file', async () => {
  await writeFile(join(folder, 'mirror.pem'), 'the certificate')
  expect((await spec()).inventory.settings.talos.registries[0]?.ca).toBe('the certificate')
})

test('a CA that is not there is reported with its place in the inventory', async () => {
  await expect(spec()).rejects.toMatchObject({ where: expect.stringContaining('talos.registries[0].ca') })
})

/** Certificates of two CAs: that of the Proxmox cluster, and a private one of the site. */
const [cluster, site] = await Promise.all([createTestCa(), createTestCa()])
const shownAs = (filename: string, pem: string) => ({ filename, pem })
const root = shownAs('pve-root-ca.pem', cluster.crt)
const issued = shownAs('pve-ssl.pem', (await cluster.issueServer()).crt)
const own = shownAs('pveproxy-ssl.pem', (await site.issueServer()).crt)
const pinTo = ({ pem }: { readonly pem: string }) => ({
  kind: 'fingerprint' as const,
  sha256: new X509Certificate(pem).fingerprint256,
})

async function addonsOf(
  proxmox: string,
  { shown, trust }: { readonly shown: (typeof root)[]; readonly trust: World['proxmox']['trust'] },
): Promise<string> {
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.1 }
proxmox: { ${proxmox} }
addons: { proxmox_ccm: true }
`,
  )
  const values = { 'proxmox_ccm.token_id': 'ccm@pve!ichor', 'proxmox_ccm.token_secret': 'secret' }
  const memory = { bootstrapped: false, sealed: true, values }
  const { addons } = await loadSpec(await loadInventory(folder, { env: {} }), {
    env: {},
    world: {
      secrets: { find: async () => ({ bundle: aBundle(), memory }), settleAddon: async () => {} },
      proxmox: { hosts: { certificates: async () => shown }, trust },
    },
  })
  return JSON.stringify(addons)
}

const known = { kind: 'system' } as const
const endpoint = 'endpoint: "https://127.0.0.1:8006"'

test.each([
  { what: 'the CA of the cluster', shown: [root, issued], trust: pinTo(issued), carried: root },
  { what: 'a certificate of a private CA itself', shown: [root, issued, own], trust: pinTo(own), carried: own },
  { what: 'nothing where a known authority vouches', shown: [root, issued, own], trust: known, carried: undefined },
  { what: 'what another host shows', shown: [root], trust: pinTo(issued), carried: root },
])('controllers that talk to Proxmox are given $what, and verify it', async ({ shown, trust, carried }) => {
  const text = await addonsOf(endpoint, { shown, trust })
  expect(text).toContain('"insecure":false')
  if (carried === undefined) expect(text).not.toContain('BEGIN CERTIFICATE')
  else expect(text).toContain(`"ca.crt":${JSON.stringify(carried.pem)}`)
})

test('controllers verify with the CA of the inventory, whatever the hosts show', async () => {
  await writeFile(join(folder, 'site.pem'), site.crt)
  const trust = { kind: 'ca', pem: site.crt } as const
  const text = await addonsOf(`${endpoint}, ca: site.pem`, { shown: [root, issued, own], trust })
  expect(text).toContain(`"ca.crt":${JSON.stringify(site.crt)}`)
})

test('controllers verify nothing if the inventory disables verification', async () => {
  const text = await addonsOf(`${endpoint}, insecure: true`, { shown: [root], trust: { kind: 'insecure' } })
  expect(text).toContain('"insecure":true')
  expect(text).not.toContain('BEGIN CERTIFICATE')
})

test('a pinned certificate for another address is refused: the controllers could not verify it', async () => {
  const asked = addonsOf('endpoint: "https://pve.example.com:8006"', { shown: [root, issued, own], trust: pinTo(own) })
  await expect(asked).rejects.toMatchObject({
    message: 'The certificate of Proxmox is not for pve.example.com, so the addons cannot verify it.',
    where: expect.stringContaining('proxmox.endpoint'),
    fix: expect.stringContaining('127.0.0.1'),
  })
})
