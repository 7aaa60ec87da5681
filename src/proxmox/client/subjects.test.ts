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
