import { afterEach, expect, test } from 'vitest'
import type { Topology } from '../core/topology.js'
import { type ApiAnswer, type SmallLab, smallTopology, startSmallLab } from './testing/small-lab.js'

let lab: SmallLab
afterEach(() => lab.close())

const qemu = '/nodes/pve1/qemu'
const threeHosts: Topology = {
  ...smallTopology,
  quorumDevice: false,
  hosts: ['pve1', 'pve2', 'pve3'].map((name, i) => ({
    name,
    address: `10.0.10.${i + 2}`,
    cpus: 16,
    memory: 64 * 1024 ** 3,
    bridges: [],
  })),
}

const statusOf = async (vmid: number) =>
  (await lab.api('GET', `${qemu}/${vmid}/status/current`)).data as Record<string, unknown>

async function within(ms: number, call: Promise<ApiAnswer>): Promise<ApiAnswer | 'no answer'> {
  return Promise.race([call, new Promise<'no answer'>((resolve) => setTimeout(() => resolve('no answer'), ms))])
}

test('a start that fails in QEMU leaves the VM off, until it is allowed to succeed', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100 })
  lab.sim.trouble.failStarts(100)
  expect(await lab.task('POST', `${qemu}/100/status/start`)).toBe('start failed: QEMU exited with code 1')
  expect(await statusOf(100)).toMatchObject({ status: 'stopped' })
  lab.sim.trouble.failStarts(100, false)
  expect(await lab.task('POST', `${qemu}/100/status/start`)).toBe('OK')
})

test('a VM in internal-error counts as running, and a stop ends it', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100 })
  await lab.task('POST', `${qemu}/100/status/start`)
  lab.sim.trouble.internalError(100)
  expect(await statusOf(100)).toMatchObject({ status: 'running', qmpstatus: 'internal-error' })
  await lab.task('POST', `${qemu}/100/status/stop`)
  await lab.task('POST', `${qemu}/100/status/start`)
  expect(await statusOf(100)).toMatchObject({ qmpstatus: 'running' })
})

test('slow statistics say stopped long after a start', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100 })
  lab.sim.trouble.lagStatistics(1_000_000_000)
  await lab.task('POST', `${qemu}/100/status/start`)
  const { data } = await lab.api('GET', '/cluster/resources', { type: 'vm' })
  expect(data).toMatchObject([{ vmid: 100, status: 'stopped' }])
  expect(await statusOf(100)).toMatchObject({ status: 'running' })
})

test('a host whose API hangs takes requests and answers none; what others pass on to it times out', async () => {
  lab = await startSmallLab()
  lab.sim.trouble.hangApi('pve1')
  const asked = lab.api('GET', '/version')
  expect(await within(100, asked)).toBe('no answer')
  lab.sim.trouble.hangApi('pve1', false)
  expect(await asked).toMatchObject({ status: 200 })
  lab.sim.trouble.hangApi('pve2')
  expect(await lab.api('GET', '/nodes/pve2/qemu')).toMatchObject({ status: 596, reason: 'Connection timed out' })
})

test('hosts take their votes along: without a majority nothing is made or changed, and reads go on', async () => {
  lab = await startSmallLab({ topology: threeHosts })
  await lab.task('POST', qemu, { vmid: 100 })
  const quorum = async () => ((await lab.api('GET', '/cluster/status')).data as { quorate?: number }[])[0]?.quorate
  await lab.sim.setHostOnline('pve3', false)
  expect(await quorum()).toBe(1)
  await lab.sim.setHostOnline('pve2', false)
  expect(await quorum()).toBe(0)
  expect(await lab.api('POST', qemu, { vmid: 101 })).toMatchObject({ reason: 'cluster not ready - no quorum?' })
  expect((await lab.api('PUT', `${qemu}/100/config`, { cores: 2 })).message).toMatch(
    /^unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/100\.conf\.tmp\.\d+' - Permission denied/,
  )
  expect((await lab.api('GET', `${qemu}/100/config`)).status).toBe(200)
  await lab.sim.setHostOnline('pve2', true)
  expect(await quorum()).toBe(1)
})

test('a host that is cut off sees the others offline and has no quorum, while they have it', async () => {
  lab = await startSmallLab({ topology: threeHosts })
  lab.sim.trouble.cutHosts(['pve1'], ['pve2', 'pve3'])
  expect((await lab.api('GET', '/cluster/status')).data).toMatchObject([
    { type: 'cluster', quorate: 0 },
    { name: 'pve1', online: 1 },
    { name: 'pve2', online: 0 },
    { name: 'pve3', online: 0 },
  ])
  expect(await lab.api('GET', '/nodes/pve2/qemu')).toMatchObject({ status: 595 })
  expect(await lab.api('POST', qemu, { vmid: 100 })).toMatchObject({ reason: 'cluster not ready - no quorum?' })
  expect(lab.sim.save().state.quorate).toBe(true)
  lab.sim.trouble.cutHosts(['pve1'], ['pve2', 'pve3'], false)
  expect(await lab.task('POST', qemu, { vmid: 100 })).toBe('OK')
})

test('a host whose cluster files are behind lists VMs that are gone and misses those that are new', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100 })
  lab.sim.trouble.lagClusterFiles('pve1', 1_000_000_000)
  await lab.task('DELETE', `${qemu}/100`)
  await lab.task('POST', qemu, { vmid: 101 })
  const listed = async () =>
    ((await lab.api('GET', '/cluster/resources', { type: 'vm' })).data as { vmid: number }[]).map(({ vmid }) => vmid)
  expect(await listed()).toEqual([100])
  expect((await lab.api('GET', `${qemu}/101/config`)).status).toBe(200)
  lab.sim.trouble.lagClusterFiles('pve1', 0)
  expect(await listed()).toEqual([101])
})

test('a read-only storage takes nothing and gives what it has; a slow one takes its time', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100, scsi0: 'local-lvm:1' })
  lab.sim.trouble.readOnlyStorage('pve1', 'local-lvm')
  expect(await lab.task('POST', `${qemu}/100/config`, { scsi1: 'local-lvm:1' })).toContain('Read-only file system')
  expect((await lab.api('GET', '/nodes/pve1/storage/local-lvm/content')).data).toHaveLength(1)
  lab.sim.trouble.readOnlyStorage('pve1', 'local-lvm', false)
  const copy = async () => {
    const before = lab.clock.now()
    await lab.task('POST', `${qemu}/100/clone`, { newid: 200 + Math.floor(before % 1000), full: 1 })
    return lab.clock.now() - before
  }
  lab.sim.trouble.slowStorage('pve1', 'local-lvm', 2000)
  expect(await copy()).toBeGreaterThan(100_000)
})

test('a power cut takes every host and VM at once, and VMs that start with their host come back with it', async () => {
  lab = await startSmallLab()
  await lab.task('POST', qemu, { vmid: 100, onboot: 1 })
  await lab.task('POST', `${qemu}/100/status/start`)
  await lab.sim.cutPower()
  await expect(lab.api('GET', '/version')).rejects.toThrow()
  expect(lab.guests.running.size).toBe(0)
  await lab.sim.cutPower(false)
  await expect.poll(() => lab.guests.running.size).toBe(1)
})

test('a token that is revoked in mid-run gets 401 from that call on, one that is narrowed 403', async () => {
  lab = await startSmallLab({ refusalMs: 0 })
  const narrow = { kind: 'narrow-token', privileges: ['VM.Allocate'] } as const
  lab.faults.add({ match: { method: 'POST', path: '/qemu$' }, action: narrow })
  expect((await lab.api('POST', qemu, { vmid: 100 })).status).toBe(403)
  expect((await lab.api('POST', qemu, { vmid: 100 })).status).toBe(403)
  expect((await lab.api('GET', '/cluster/resources')).status).toBe(200)
  lab.sim.trouble.narrowToken(lab.sim.tokenId, [])
  expect(await lab.task('POST', qemu, { vmid: 100 })).toBe('OK')
  lab.faults.add({ match: { method: 'GET', path: '/version' }, action: { kind: 'revoke-token' } })
  expect(await lab.api('GET', '/version')).toMatchObject({ status: 401, reason: 'Authentication failed!' })
  expect((await lab.api('GET', '/nodes')).status).toBe(401)
  lab.sim.trouble.revokeToken(lab.sim.tokenId, false)
  expect((await lab.api('GET', '/nodes')).status).toBe(200)
})

test('a rule about a VM meets the calls that make it', async () => {
  lab = await startSmallLab()
  lab.faults.add({ match: { vmid: 100 }, action: { kind: 'status', status: 599, message: 'struck' }, times: 2 })
  expect((await lab.api('POST', qemu, { vmid: 101 })).status).toBe(200)
  expect((await lab.api('POST', qemu, { vmid: 100 })).status).toBe(599)
  expect((await lab.api('POST', `${qemu}/101/clone`, { newid: 100 })).status).toBe(599)
})
