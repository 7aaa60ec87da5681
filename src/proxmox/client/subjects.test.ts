import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProxmoxPort } from './port.js'
import { connectTo, fails, gives, startTinyServer, type TinyServer } from './testing/tiny-server.js'

const signal = new AbortController().signal
let server: TinyServer
let proxmox: ProxmoxPort
beforeEach(async () => {
  server = await startTinyServer()
  server.on.set('GET /cluster/status', gives([]))
  server.on.set('GET /nodes', gives([]))
  proxmox = connectTo([server])
})
afterEach(async () => {
  await proxmox.close()
  await server.close()
})

/** The writes, as `METHOD path form`. */
const written = () =>
  server.seen
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => `${method} ${path} ${decodeURIComponent(body)}`.trim())

test('a resource of high availability is made, and changed when it is there', async () => {
  server.on.set(
    'POST /cluster/ha/resources',
    fails(500, "create resource failed: resource ID 'vm:100' already defined"),
  )
  server.on.set('GET /cluster/ha/resources', gives([{ sid: 'vm:100', state: 'started', group: 'dev-pve1' }]))
  server.on.set('PUT /cluster/ha/resources/vm:100', gives(null))
  await proxmox.highAvailability.setResource({ vmid: 100, state: 'started', maxRestart: 1, maxRelocate: 2 }, signal)
  expect(written()).toEqual([
    'POST /cluster/ha/resources sid=vm:100&state=started&max_restart=1&max_relocate=2',
    'PUT /cluster/ha/resources/vm:100 state=started&max_restart=1&max_relocate=2&delete=group',
  ])
})

test('control planes are kept apart by a rule, which is read back as it was written', async () => {
  server.on.set('POST /cluster/ha/rules', gives(null))
  const rule = { type: 'resource-affinity', id: 'dev-apart', vmids: [2000, 2001], together: false } as const
  await proxmox.highAvailability.setRule(rule, signal)
  const [sent] = server.seen.filter(({ method }) => method === 'POST')
  const form = Object.fromEntries(new URLSearchParams(sent?.body))
  expect(form).toEqual({
    rule: 'dev-apart',
    type: 'resource-affinity',
    resources: 'vm:2000,vm:2001',
    affinity: 'negative',
  })
  server.on.set(
    'GET /cluster/ha/rules',
    gives([
      { ...form, digest: 'x' },
      { rule: 'future', type: 'something-new' },
    ]),
  )
  server.on.set('GET /cluster/ha/resources', gives([]))
  expect(await proxmox.highAvailability.read(9, signal)).toEqual({ resources: [], groups: [], rules: [rule] })
})

test('removing what is gone is no failure', async () => {
  server.on.set('DELETE /cluster/ha/resources/vm:100', fails(500, "cannot delete service 'vm:100', not HA managed!"))
  server.on.set('DELETE /cluster/backup/dev', fails(400, 'Parameter verification failed.', { id: "No such job 'dev'" }))
  server.on.set('DELETE /access/users/x%40pve', fails(500, "no such user ('x@pve')"))
  await proxmox.highAvailability.removeResource(100, signal)
  await proxmox.backup.removeJob('dev', signal)
  await proxmox.access.removeUser('x@pve', signal)
})

test('a backup job is made once and then changed, with settings that ichor does not know', async () => {
  const job = {
    id: 'ichor-dev',
    schedule: 'sun 02:00',
    storage: 'pbs',
    enabled: true,
    what: { pool: 'ichor-dev' },
    settings: { mode: 'snapshot', 'prune-backups': 'keep-last=3' },
  }
  server.on.set('GET /cluster/backup', gives([]))
  server.on.set('POST /cluster/backup', gives(null))
  await proxmox.backup.setJob(job, signal)
  const form = Object.fromEntries(new URLSearchParams(server.seen.find(({ method }) => method === 'POST')?.body))
  server.on.set('GET /cluster/backup', gives([{ ...form, enabled: 1, type: 'vzdump', 'next-run': 5 }]))
  expect(await proxmox.backup.jobs(signal)).toEqual([job])
  server.on.set('PUT /cluster/backup/ichor-dev', gives(null))
  await proxmox.backup.setJob(job, signal)
  expect(written().at(-1)).toMatch(/^PUT \/cluster\/backup\/ichor-dev (?!.*delete=)/)
  await proxmox.backup.setJob({ ...job, what: { vmids: [2000] } }, signal)
  expect(written().at(-1)).toMatch(/vmid=2000.*delete=pool/)
})

test('settings of a backup job that Proxmox reads as objects are compared in the syntax in which they are written', async () => {
  const job = { id: 'ichor-dev', schedule: 'sun 02:00', storage: 'pbs', enabled: 1, vmid: '2000', type: 'vzdump' }
  const objects = {
    'prune-backups': { 'keep-weekly': 2, 'keep-last': '3' },
    fleecing: { storage: 'local', enabled: 1 },
    performance: { 'max-workers': 4 },
  }
  server.on.set('GET /cluster/backup', gives([{ ...job, ...objects, mailto: 'x@example.org', 'next-run': 1784944800 }]))
  const settings = {
    'prune-backups': 'keep-last=3,keep-weekly=2',
    fleecing: 'enabled=1,storage=local',
    performance: 'max-workers=4',
    mailto: 'x@example.org',
  }
  expect((await proxmox.backup.jobs(signal)).map((read) => read.settings)).toEqual([settings])
})

test('firewall rules go to their list enabled, and come back in their order', async () => {
  const list = { kind: 'vm', vm: { host: 'pve1', vmid: 100 } } as const
  const rule = {
    type: 'in',
    action: 'ACCEPT',
    enabled: true,
    match: { proto: 'tcp', dport: '6443', comment: 'api' },
  } as const
  server.on.set('POST /nodes/pve1/qemu/100/firewall/rules', gives(null))
  await proxmox.firewall.addRule(list, rule, signal)
  const form = Object.fromEntries(new URLSearchParams(server.seen.find(({ method }) => method === 'POST')?.body))
  expect(form).toEqual({ type: 'in', action: 'ACCEPT', enable: '1', proto: 'tcp', dport: '6443', comment: 'api' })
  const other = { type: 'out', action: 'DROP', enable: 0, pos: 1, digest: 'd' }
  server.on.set(
    'GET /nodes/pve1/qemu/100/firewall/rules',
    gives([other, { ...form, pos: 0, digest: 'd', ipversion: 4 }]),
  )
  expect(await proxmox.firewall.rules(list, signal)).toEqual({
    digest: 'd',
    rules: [rule, { type: 'out', action: 'DROP', enabled: false, match: {} }],
  })
})

test('an IP set takes an entry once, and the slash of a network does not end its path', async () => {
  const scope = { kind: 'cluster' } as const
  server.on.set(
    'POST /cluster/firewall/ipset/admins',
    fails(400, 'Parameter verification failed.', { cidr: "address '10.0.0.0/8' already exists" }),
  )
  server.on.set('DELETE /cluster/firewall/ipset/admins/10.0.0.0%2F8', gives(null))
  await proxmox.firewall.addIpsetEntry(scope, 'admins', { cidr: '10.0.0.0/8' }, signal)
  await proxmox.firewall.removeIpsetEntry(scope, 'admins', '10.0.0.0/8', signal)
  expect(written().at(-1)).toBe('DELETE /cluster/firewall/ipset/admins/10.0.0.0%2F8')
})

test('the secret of a token is reported once, and its user and name are encoded', async () => {
  server.on.set(
    'POST /access/users/ichor-dev%40pve/token/ichor',
    gives({ 'full-tokenid': 'ichor-dev@pve!ichor', value: 'uuid', info: {} }),
  )
  expect(await proxmox.access.createToken('ichor-dev@pve', { name: 'ichor', separated: false }, signal)).toEqual({
    id: 'ichor-dev@pve!ichor',
    secret: 'uuid',
  })
})

test('privileges on a path that is not mine are none', async () => {
  server.on.set('GET /access/permissions', gives({}))
  expect(await proxmox.access.privilegesOn('/pool/x', signal)).toEqual(new Map())
  server.on.set('GET /access/permissions', gives({ '/pool/x': { 'VM.Audit': 1, 'Pool.Audit': 0 } }))
  expect(await proxmox.access.privilegesOn('/pool/x', signal)).toEqual(
    new Map([
      ['VM.Audit', true],
      ['Pool.Audit', false],
    ]),
  )
})

test('content is added to what a storage allows, with the digest that was seen', async () => {
  server.on.set('GET /storage/local', gives({ storage: 'local', content: 'iso,backup', digest: 'abc' }))
  server.on.set('PUT /storage/local', gives({}))
  await proxmox.storage.enableContent('local', ['import', 'iso'], signal)
  await proxmox.storage.enableContent('local', ['iso'], signal)
  expect(written()).toEqual(['PUT /storage/local content=iso,backup,import&digest=abc'])
})

test('PCI mappings list the hosts that have the device', async () => {
  server.on.set(
    'GET /cluster/mapping/pci',
    gives([
      { id: 'gpu', map: ['node=pve1,path=0000:01:00.0,id=10de:2204', 'node=pve2,path=0000:02:00.0,id=10de:2204'] },
    ]),
  )
  expect(await proxmox.cluster.pciMappings(signal)).toEqual([{ id: 'gpu', hosts: ['pve1', 'pve2'] }])
})

test('free space is what a storage accepts, and that of an inactive one is unknown', async () => {
  const statuses = [
    { storage: 'local', active: 1, total: 100, used: 20, avail: 55 },
    { storage: 'nfs', active: 0, total: 0, used: 0, avail: 0 },
  ]
  server.on.set('GET /nodes/pve1/storage', gives(statuses))
  expect(await connectTo([server]).storage.free('pve1', signal)).toEqual(new Map([['local', 55]]))
})

test.each([
  { what: 'two days ahead', ms: 2 * 86_400_000, isReported: true },
  { what: 'two hours behind', ms: -2 * 3_600_000, isReported: true },
  { what: 'a minute ahead', ms: 60_000, isReported: false },
])('a Proxmox whose clock is $what: $isReported', async ({ ms, isReported }) => {
  server.on.set('GET /version', (seen, response) => {
    response.setHeader('Date', new Date(Date.now() + ms).toUTCString())
    gives({ version: '9.2.3' })(seen, response)
  })
  const { clockOffsetMs } = await proxmox.cluster.version(signal)
  expect(clockOffsetMs === undefined ? undefined : Math.round(clockOffsetMs / 3_600_000)).toBe(
    isReported ? ms / 3_600_000 : undefined,
  )
})
