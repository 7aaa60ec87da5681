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

/** As 9.2.11 answered. */
const recorded = {
  memory: { total: 25274793984, free: 21809315840, available: 23283806208, used: 1990987776 },
  swap: { used: 0, free: 0, total: 0 },
  rootfs: { used: 31890632704, free: 238662541312, total: 270553174016, avail: 77053661184 },
  cpuinfo: { cores: 2, sockets: 1, model: 'Intel(R) Xeon(R) Processor @ 2.90GHz', flags: 'fpu vme de' },
  kversion: 'Linux 6.18.44-fc-v445 #1 SMP PREEMPT_DYNAMIC @0',
  loadavg: ['0.68', '1.18', '1.39'],
  pveversion: 'pve-manager/9.2.11/c7b61cff0e12b14d',
}

test('a host reports its memory, swap and CPU, and its clock in seconds', async () => {
  server.on.set('GET /nodes/pve1/status', gives(recorded))
  server.on.set('GET /nodes/pve1/time', gives({ localtime: 1794713065, time: 1794713065, timezone: 'Etc/UTC' }))
  expect(await proxmox.hosts.status('pve1', signal)).toEqual({
    memory: { total: 25274793984, used: 1990987776 },
    swap: { total: 0, used: 0 },
    rootFilesystem: { total: 270553174016, used: 31890632704 },
    cpuModel: 'Intel(R) Xeon(R) Processor @ 2.90GHz',
    kernel: 'Linux 6.18.44-fc-v445 #1 SMP PREEMPT_DYNAMIC @0',
    proxmoxVersion: '9.2.11',
  })
  expect(await proxmox.hosts.time('pve1', signal)).toBe(1794713065000)
})

test('a thin pool is known by its volume group, as its storage names it', async () => {
  const pool = {
    vg: 'pve',
    lv: 'data',
    lv_size: '1000',
    used: 900,
    metadata_size: 100,
    metadata_used: 95,
    lv_type: 't',
  }
  server.on.set('GET /nodes/pve1/disks/lvmthin', gives([pool]))
  server.on.set(
    'GET /storage',
    gives([
      { storage: 'local', type: 'dir', path: '/var/lib/vz', content: 'iso' },
      { storage: 'local-lvm', type: 'lvmthin', vgname: 'pve', thinpool: 'data', content: 'images' },
    ]),
  )
  expect(await proxmox.hosts.thinPools('pve1', signal)).toEqual([
    { volumeGroup: 'pve', name: 'data', size: 1000, used: 900, metadataSize: 100, metadataUsed: 95 },
  ])
  expect(await proxmox.storage.definitions(signal)).toEqual([
    { storage: 'local', type: 'dir' },
    { storage: 'local-lvm', type: 'lvmthin', thinPool: { volumeGroup: 'pve', name: 'data' } },
  ])
})

const vm = { host: 'pve1', vmid: 120 }

test.each([
  { answer: gives({ result: { version: '7.2.22', supported_commands: [] } }), answers: true },
  { answer: gives({ result: { error: { class: 'CommandNotFound', desc: 'disabled' } } }), answers: false },
  { answer: fails(500, 'QEMU guest agent is not running'), answers: false },
  { answer: fails(500, 'No QEMU guest agent configured'), answers: false },
])('an agent that answers: $answers', async ({ answer, answers }) => {
  server.on.set('GET /nodes/pve1/qemu/120/agent/info', answer)
  expect(await proxmox.agent.answers(vm, signal)).toBe(answers)
})

test('HA reports what became of each VM, and of the local manager of each host', async () => {
  server.on.set(
    'GET /cluster/ha/status/current',
    gives([
      { node: 'pve', type: 'quorum', status: 'OK', id: 'quorum', quorate: 1 },
      { id: 'lrm:pve', type: 'lrm', node: 'pve', status: 'pve (old timestamp - dead?, Sun Nov 15 03:22:14 2026)' },
      {
        id: 'service:vm:103',
        type: 'service',
        sid: 'vm:103',
        node: 'pve',
        state: 'queued',
        crm_state: 'request_start',
      },
      { id: 'service:ct:104', type: 'service', sid: 'ct:104', node: 'pve', state: 'started' },
    ]),
  )
  expect(await proxmox.highAvailability.status(signal)).toEqual({
    hosts: [{ host: 'pve', status: 'pve (old timestamp - dead?, Sun Nov 15 03:22:14 2026)' }],
    services: [{ vmid: 103, host: 'pve', state: 'queued' }],
  })
})
