import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isProxmoxError } from '../model/proxmox-error.js'
import type { ProxmoxPort } from './port.js'
import { failureOf } from './testing/failure-of.js'
import {
  connectTo,
  dropsAnswer,
  fails,
  gives,
  inTurn,
  startTinyServer,
  type TinyServer,
} from './testing/tiny-server.js'
import type { CallReport } from './transport/call.js'

const signal = new AbortController().signal
const vm = { host: 'pve1', vmid: 100 }
const version = gives({ version: '9.2.3', release: '9.2', repoid: 'x' })
const upid = 'UPID:pve1:0012ABCD:0A1B2C3D:6917C5A0:qmstart:100:ichor@pve!run:'

let server: TinyServer
let proxmox: ProxmoxPort

beforeEach(async () => {
  server = await startTinyServer()
  server.on.set('GET /version', version)
  proxmox = connectTo([server])
})
afterEach(async () => {
  await proxmox.close()
  await server.close()
})

test('requests share a connection', async () => {
  for (let i = 0; i < 5; i++) await proxmox.cluster.version(signal)
  expect(server.connections()).toBe(1)
})

test('a read that is cut off or meets a busy cluster is made again', async () => {
  server.on.set('GET /version', inTurn(dropsAnswer, fails(596, 'Connection timed out'), version))
  expect((await proxmox.cluster.version(signal)).major).toBe(9)
})

test('a read that fails once with an unknown error is made again, and a known one is not', async () => {
  server.on.set('GET /version', inTurn(fails(500, 'got timeout'), version))
  expect((await proxmox.cluster.version(signal)).major).toBe(9)
  const absent = fails(500, "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist")
  server.on.set('GET /nodes/pve1/qemu/100/config', absent)
  await proxmox.machines.findConfig(vm, signal)
  expect(server.seen.filter(({ path }) => path.endsWith('/config'))).toHaveLength(1)
})

test('a read that fails again and again with an unknown error is given up', async () => {
  server.on.set('GET /version', fails(500, 'something strange'))
  expect((await failureOf(proxmox.cluster.version(signal))).status).toBe(500)
  expect(server.seen).toHaveLength(4)
})

test('a write whose response is lost is not repeated, and its outcome is unknown', async () => {
  server.on.set('PUT /nodes/pve1/qemu/100/config', dropsAnswer)
  const error = await failureOf(proxmox.machines.setOptions({ host: 'pve1', vmid: 100 }, { set: { cores: 2 } }, signal))
  expect(error.outcome).toBe('unknown')
  expect(error.message).toContain('Whether it took effect is not known')
  expect(server.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('when the answer of a start is lost, the worker that our token started is found', async () => {
  server.on.set('POST /nodes/pve1/qemu/100/status/start', dropsAnswer)
  const others = [
    'UPID:pve1:0012ABCE:0A1B2C3D:6917C5A0:qmstart:100:someone@pve!else:',
    upid.replace('qmstart', 'qmstop'),
  ]
  server.on.set('GET /nodes/pve1/tasks', gives([...others, upid].map((name) => ({ upid: name }))))
  expect(await proxmox.machines.start(vm, signal)).toEqual({ host: 'pve1', upid })
})

test('when no such worker is there, the loss is reported and the write is not repeated', async () => {
  server.on.set('POST /nodes/pve1/qemu/100/status/start', dropsAnswer)
  server.on.set('GET /nodes/pve1/tasks', gives([]))
  const error = await failureOf(proxmox.machines.start(vm, signal))
  expect(error.outcome).toBe('unknown')
  expect(server.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test.each([
  { what: 'took effect', there: [{ poolid: 'ichor', comment: 'x', members: [] }], writes: 1 },
  { what: 'did not', there: [], writes: 2 },
])(
  'when the answer to a small write is lost it is looked whether it $what: $writes in all',
  async ({ there, writes }) => {
    server.on.set('PUT /pools', inTurn(dropsAnswer, gives(null)))
    server.on.set('GET /pools', gives(there))
    await proxmox.pools.setComment('ichor', 'x', signal)
    expect(server.seen.filter(({ method }) => method === 'PUT')).toHaveLength(writes)
  },
)

test('a worker that another call started, or that started long before this one, is not taken for it', async () => {
  const handedOut = upid.replace('6917C5A0', 'FFFFFFFF')
  const started = (name: string) => Number.parseInt(name.split(':')[4] ?? '', 16)
  server.on.set('POST /nodes/pve1/qemu/100/status/start', inTurn(gives(handedOut), dropsAnswer))
  server.on.set('GET /nodes/pve1/tasks', (seen, response) => {
    const since = Number(new URLSearchParams(seen.path.split('?')[1]).get('since'))
    const tasks = [upid, handedOut].filter((name) => started(name) >= since)
    gives(tasks.map((name) => ({ upid: name })))(seen, response)
  })
  expect(await proxmox.machines.start(vm, signal)).toEqual({ host: 'pve1', upid: handedOut })
  expect((await failureOf(proxmox.machines.start(vm, signal))).outcome).toBe('unknown')
})

test('every change of a VM carries the digest of what was seen', async () => {
  const task = (type: string) => gives(upid.replace('qmstart', type))
  server.on.set('PUT /nodes/pve1/qemu/100/config', gives(null))
  server.on.set('POST /nodes/pve1/qemu/100/config', task('qmconfig'))
  server.on.set('PUT /nodes/pve1/qemu/100/resize', task('resize'))
  await proxmox.machines.setOptions(vm, { set: { cores: 2 }, digest: 'd1' }, signal)
  await proxmox.machines.configure(vm, { set: { cores: 2 }, digest: 'd2' }, signal)
  await proxmox.machines.resize(vm, 'scsi0', 1024 ** 3, 'd3', signal)
  const writes = server.seen.filter(({ method }) => method !== 'GET')
  expect(writes.map(({ body }) => new URLSearchParams(body).get('digest'))).toEqual(['d1', 'd2', 'd3'])
})

test('a lost upload is reported from another by the file that its log names', async () => {
  const task = (pid: string) => `UPID:pve1:${pid}:0A1B2C3D:6917C5A0:imgcopy::ichor@pve!run:`
  const log = (pid: string) => `GET /nodes/pve1/tasks/${encodeURIComponent(task(pid))}/log`
  server.on.set('POST /nodes/pve1/storage/local/upload', dropsAnswer)
  server.on.set('GET /nodes/pve1/tasks', gives([{ upid: task('00000001') }, { upid: task('00000002') }]))
  server.on.set(log('00000001'), gives([{ n: 1, t: 'target file: /var/lib/vz/template/iso/other.iso' }]))
  server.on.set(log('00000002'), gives([{ n: 1, t: 'target file: /var/lib/vz/template/iso/mine.iso' }]))
  const found = await proxmox.images.upload('pve1', 'local', 'iso', 'mine.iso', Buffer.from('x'), signal)
  expect(found.upid).toBe(task('00000002'))
})

test('an upload is laid out in the order that Proxmox reads, with its length', async () => {
  server.on.set('POST /nodes/pve1/storage/local/upload', gives(upid.replace('qmstart:100', 'imgcopy:')))
  await proxmox.images.upload('pve1', 'local', 'iso', 'seed.iso', Buffer.from('CD001'), signal)
  const { headers, body } = server.seen.find(({ method }) => method === 'POST') ?? { headers: {}, body: '' }
  expect(headers['transfer-encoding']).toBeUndefined()
  expect(headers['content-length']).toBe(String(body.length))
  const order = [
    'name="content"',
    'name="checksum-algorithm"',
    'name="checksum"',
    'name="filename"; filename="seed.iso"',
  ]
  const places = order.map((part) => body.indexOf(part))
  expect(places).toEqual([...places].sort((one, other) => one - other))
  expect(body).toContain('CD001')
})

test('values with = and ; arrive whole', async () => {
  server.on.set('POST /nodes/pve1/qemu', gives(upid.replace('qmstart', 'qmcreate')))
  const net0 = 'virtio=02:CA:F5:11:7F:D0,bridge=vmbr0'
  await proxmox.machines.create(vm, { net0, boot: 'order=scsi0;ide2', onboot: true, description: 'ä\nö' }, signal)
  const form = new URLSearchParams(server.seen.find(({ method }) => method === 'POST')?.body)
  expect(Object.fromEntries(form)).toEqual({
    vmid: '100',
    net0,
    boot: 'order=scsi0;ide2',
    onboot: '1',
    description: 'ä\nö',
  })
})

test('a VM is deleted with purge and never with its unreferenced disks, and the DELETE has no body', async () => {
  server.on.set('DELETE /nodes/pve1/qemu/100', gives(upid.replace('qmstart', 'qmdestroy')))
  await proxmox.machines.remove(vm, signal)
  const seen = server.seen.find(({ method }) => method === 'DELETE')
  expect(seen?.path).toBe('/nodes/pve1/qemu/100?purge=1')
  expect(seen?.body).toBe('')
})

test('a missing VM is undefined, with any of the errors of Proxmox', async () => {
  server.on.set(
    'GET /nodes/pve1/qemu/100/config',
    fails(500, "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist"),
  )
  server.on.set(
    'GET /nodes/pve1/qemu/100/status/current',
    fails(500, "unable to find configuration file for VM 100 on node 'pve1'"),
  )
  expect(await proxmox.machines.findConfig(vm, signal)).toBeUndefined()
  expect(await proxmox.machines.findStatus(vm, signal)).toBeUndefined()
})

test('a VM that a token of a pool may not see is undefined; another missing privilege is an error', async () => {
  server.on.set('GET /nodes/pve1/qemu/100/config', fails(403, 'Permission check failed (/vms/100, VM.Audit)'))
  server.on.set('GET /nodes/pve1/qemu/100/pending', fails(403, 'Permission check failed (/vms/100, VM.Audit)'))
  expect(await proxmox.machines.findConfig(vm, signal)).toBeUndefined()
  expect((await failureOf(proxmox.machines.pending(vm, signal))).kind).toBe('forbidden')
})

test('HTML in place of JSON is recognised as another web server', async () => {
  server.on.set('GET /version', (_seen, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>login</html>')
  })
  expect((await failureOf(proxmox.cluster.version(signal))).kind).toBe('not-proxmox')
})

test('half an answer is no answer', async () => {
  server.on.set('GET /version', (_seen, response) => {
    response.writeHead(200, { 'Content-Length': '500', 'Content-Type': 'application/json' })
    response.write('{"data":{"version"', () => response.socket?.destroy())
  })
  const error = await failureOf(proxmox.cluster.version(signal))
  expect(error.message).toMatch(/no answer/)
})

test.each([
  [595, 'failed', 'host-down'],
  [596, 'unknown', 'timed-out'],
] as const)('a write that is answered with %i has %s, and is not repeated', async (status, outcome, kind) => {
  server.on.set('PUT /nodes/pve1/qemu/100/config', fails(status, 'Connection timed out'))
  const error = await failureOf(proxmox.machines.setOptions({ host: 'pve1', vmid: 100 }, { set: { cores: 2 } }, signal))
  expect([error.outcome, error.kind]).toEqual([outcome, kind])
  expect(server.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1)
})

test('no more calls run at once than the host may bear', async () => {
  let running = 0
  let most = 0
  server.on.set('GET /version', (seen, response) => {
    most = Math.max(most, ++running)
    setImmediate(() => {
      running--
      version(seen, response)
    })
  })
  const gentle = connectTo([server], { concurrencyPerHost: 3 })
  await Promise.all(Array.from({ length: 20 }, () => gentle.cluster.version(signal)))
  expect(most).toBeLessThanOrEqual(3)
  await gentle.close()
})

test('a cancelled call ends with the reason of the cancellation', async () => {
  server.on.set('GET /version', () => undefined)
  const stop = new AbortController()
  const call = proxmox.cluster.version(stop.signal)
  while (server.seen.length === 0) await new Promise(setImmediate)
  stop.abort(new Error('the user pressed Ctrl-C'))
  await expect(call).rejects.toThrow('the user pressed Ctrl-C')
})

test('a silent host costs one deadline, which the error names', async () => {
  server.on.set('GET /version', () => undefined)
  const impatient = connectTo([server], { deadlineMs: 50 })
  const error = await failureOf(impatient.cluster.version(signal))
  expect(error.kind).toBe('timed-out')
  expect(server.seen).toHaveLength(1)
  await impatient.close()
})

test.each([
  { story: 'announces 700 MiB', headers: { 'Content-Length': String(700 * 1024 * 1024) } },
  { story: 'goes on and on', headers: {} },
])('an answer that $story is refused early', async ({ headers }) => {
  let sent = 0
  server.on.set('GET /version', (_seen, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers })
    const more = () => {
      while (!response.destroyed && sent < 700 * 1024 * 1024) {
        sent += 1024 * 1024
        if (!response.write(Buffer.alloc(1024 * 1024, 0x20))) return void response.once('drain', more)
      }
      response.end()
    }
    more()
  })
  const error = await failureOf(proxmox.cluster.version(signal))
  expect(error.message).toContain('the answer is too long')
  expect(sent).toBeLessThan(200 * 1024 * 1024)
  expect(server.seen.filter(({ path }) => path === '/version')).toHaveLength(1)
})

test('a body that stalls ends with the deadline', async () => {
  server.on.set('GET /version', (_seen, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.write('{"data":')
  })
  const impatient = connectTo([server], { deadlineMs: 50 })
  expect((await failureOf(impatient.cluster.version(signal))).kind).toBe('timed-out')
  await impatient.close()
})

test('while a host does not answer, the user reads whom it asks', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  let answer = () => {}
  server.on.set('GET /version', (seen, response) => {
    answer = () => version(seen, response)
  })
  const heard: string[] = []
  const patient = connectTo([server], { notify: (text) => heard.push(text) })
  const call = patient.cluster.version(signal)
  while (server.seen.length === 0) await new Promise(setImmediate)
  vi.advanceTimersByTime(2_500)
  vi.useRealTimers()
  expect(heard).toEqual([`waiting for ${new URL(server.endpoint).host} to answer GET /version.`])
  answer()
  await call
  await patient.close()
})

test('a call that still waits when the client is closed is not reported: the command has already ended', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  server.on.set('GET /version', () => {})
  const heard: string[] = []
  const patient = connectTo([server], { notify: (text) => heard.push(text) })
  const call = patient.cluster.version(signal).catch(() => undefined)
  while (server.seen.length === 0) await new Promise(setImmediate)
  await patient.close()
  vi.advanceTimersByTime(2_500)
  vi.useRealTimers()
  expect(heard).toEqual([])
  await server.close()
  await call
})

test('every call is reported with its status and whether it may have changed something', async () => {
  const calls: CallReport[] = []
  const watched = connectTo([server], { onCall: (call) => calls.push(call) })
  await watched.cluster.version(signal)
  expect(calls).toEqual([{ method: 'GET', path: '/version', status: 200, mutating: false, ms: expect.any(Number) }])
  expect(isProxmoxError(new Error('x'))).toBe(false)
  await watched.close()
})
