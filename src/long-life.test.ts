import { X509Certificate } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { livingEntries } from '../tests/support/living-entries.js'
import { serve, versionRoute } from '../tests/support/talos-client.js'
import { type ConnectOptions, connect } from './connect.js'
import { loadInventory } from './inventory/index.js'
import { gives, startTinyServer, testFile } from './proxmox/client/testing/tiny-server.js'
import { generateBundle } from './secrets/generate.js'
import { secretsStore } from './secrets-store.js'
import { MachineService } from './wire/machine/machine_pb.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const quarterHour = 15 * 60_000
let now = Date.now()
const clock = { now: () => now, monotonic: () => now, sleep: async () => {} }
/** Certificates that a server received, and the number that had expired by the clock of the test. */
const seen = { certificates: new Set<string>(), expired: 0 }

function judge({ fingerprint256, valid_to: until }: PeerCertificate): void {
  seen.certificates.add(fingerprint256)
  if (Date.parse(until) < now) seen.expired++
}

async function startKubernetes(server: { crt: string; key: string }) {
  const options = { cert: server.crt, key: server.key.replaceAll('ED25519 ', ''), requestCert: true }
  const api = createServer({ ...options, rejectUnauthorized: false }, (request, response) => {
    judge((request.socket as TLSSocket).getPeerCertificate())
    response.end('{"gitVersion":"v1.34.1"}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  closing.push(
    () => api.close(),
    () => api.closeAllConnections(),
  )
  return { host: '127.0.0.1', port: (api.address() as AddressInfo).port }
}

async function aFolder(endpoint: string) {
  const folder = await mkdtemp(join(tmpdir(), 'ichor-long-life-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const fingerprint = new X509Certificate(testFile('host.crt')).fingerprint256
  const proxmox = { endpoint, fingerprint, token_id: 'ichor@pve!run', token_secret: 'env:PVE_TOKEN' }
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev\nsecrets: plain\nnetwork: { cidr: 10.0.0.0/24, gateway: 10.0.0.1 }\nproxmox: ${JSON.stringify(proxmox)}\n`,
  )
  return loadInventory(folder, { env: {} })
}

const socketsOf = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length

/** Servers instead of Proxmox, Talos and Kubernetes, and the world that connects to them. */
async function aWorld(options: Pick<ConnectOptions, 'talosRoles'>, onClient: (certificate: PeerCertificate) => void) {
  const proxmox = await startTinyServer()
  closing.push(() => proxmox.close())
  proxmox.on.set('GET /version', gives({ version: '9.2.3', release: '9.2', repoid: 'x' }))
  const talos = await serve((router) => router.service(MachineService, versionRoute('v1.13.9')), { onClient })
  const kubernetes = await startKubernetes(await talos.ca.issueServer())
  const inventory = await aFolder(proxmox.endpoint)
  const env = { PVE_TOKEN: '3f0e5a5e-96d1-4f0b-a2ed-6c1f0c1a7b11', PROXMOX_VE_ENDPOINT: proxmox.endpoint }
  const bundle = await generateBundle('v1.6')
  const ca = {
    crt: Buffer.from(talos.ca.crt).toString('base64'),
    key: Buffer.from(talos.ca.key).toString('base64'),
  }
  await secretsStore(inventory, { env, notify: () => {}, isLab: false }).create({
    bundle: { ...bundle, certs: { ...bundle.certs, os: ca, k8s: ca } },
    memory: { bootstrapped: true, contract: 'v1.6', values: {} },
  })
  const { world, close } = await connect(inventory, { env, notify: () => {}, clock, ...options })
  closing.push(close)
  return { world, talos, kubernetes }
}

test('a thousand passes over ten days: certificates are renewed in time, and nothing piles up', async () => {
  const { world, talos, kubernetes } = await aWorld({}, judge)
  const { signal } = new AbortController()

  // Called twice: the first call after a reboot may still use the broken connection.
  const askNode = () =>
    world.talos.node({ machine: 'dev-cp-1', address: '127.0.0.1', port: talos.port }).version(signal)
  const pass = async (count: number) => {
    now += quarterHour
    await Promise.all([
      count % 10 === 0 ? world.proxmox.cluster.version(signal) : undefined,
      askNode().catch(askNode),
      world.kubernetes.at([kubernetes]).version(signal),
    ])
  }
  await pass(0)
  const before = { sockets: socketsOf(), listeners: getEventListeners(signal, 'abort').length }
  let entries = 0
  for (let count = 1; count < 1000; count++) {
    // Nodes reboot, so that connections are made with certificates of every age.
    if (count % 20 === 0) talos.cut()
    if (count === 300) entries = livingEntries()
    await pass(count)
  }
  expect(seen.expired).toBe(0)
  expect(seen.certificates.size).toBeGreaterThan(20)
  expect(getEventListeners(signal, 'abort')).toHaveLength(before.listeners)
  expect(socketsOf()).toBeLessThanOrEqual(before.sockets + 6)
  // Less than one per pass; Node itself creates some tables late.
  expect(livingEntries()).toBeLessThan(entries + 500)
}, 120_000)

test.each([
  { talosRoles: undefined, shown: 'os:admin' },
  { talosRoles: ['os:reader'] as const, shown: 'os:reader' },
])('with the roles $talosRoles a node sees $shown', async ({ talosRoles, shown }) => {
  const roles: unknown[] = []
  const onClient = ({ subject }: PeerCertificate) => roles.push(subject.O)
  const { world, talos } = await aWorld(talosRoles === undefined ? {} : { talosRoles }, onClient)
  const target = { machine: 'dev-cp-1', address: '127.0.0.1', port: talos.port }
  await world.talos.node(target).version(new AbortController().signal)
  expect(roles).toEqual([shown])
})
