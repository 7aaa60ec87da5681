import { afterEach, expect, test } from 'vitest'
import type { Topology } from '../../core/topology.js'
import { type SmallLab, smallTopology, startSmallLab } from '../testing/small-lab.js'

const GiB = 1024 ** 3

/** Three hosts with a shared storage; only pve3 has a second bridge. */
const topology: Topology = {
  ...smallTopology,
  hosts: [1, 2, 3].map((n) => ({
    name: `pve${n}`,
    address: `10.0.10.${n + 1}`,
    cpus: 16,
    memory: 64 * GiB,
    bridges: ['vmbr0', ...(n === 3 ? ['vmbr1'] : [])].map((name) => ({ name, vlanAware: true })),
  })),
  storages: [
    ...smallTopology.storages,
    { id: 'ceph', type: 'rbd', content: ['images'], shared: true, total: 500 * GiB },
  ],
}

let lab: SmallLab
afterEach(() => lab.close())

const start = async (pve: 8 | 9 = 9, speed = 10_000) => {
  lab = await startSmallLab({ topology, pve, speed })
}

/** A VM that HA runs, once it does. */
async function aManagedVm(
  vmid: number,
  host: string,
  { vm = {}, resource = {} }: { vm?: Record<string, string>; resource?: Record<string, string | number> } = {},
): Promise<void> {
  expect(await lab.task('POST', `/nodes/${host}/qemu`, { vmid, scsi0: 'ceph:8', ...vm })).toBe('OK')
  const added = await lab.api('POST', '/cluster/ha/resources', { sid: `vm:${vmid}`, ...resource })
  expect(added).toMatchObject({ status: 200 })
}

interface Reported {
  readonly sid?: string
  readonly node: string
  readonly state: string
}

async function service(vmid: number): Promise<string> {
  const all = (await lab.api('GET', '/cluster/ha/status/current')).data as Reported[]
  const found = all.find(({ sid }) => sid === `vm:${vmid}`)
  return `${found?.state ?? ''} on ${found?.node ?? ''}`
}

const becomes = (vmid: number, state: string) =>
  expect.poll(() => service(vmid), { timeout: 10_000, interval: 5 }).toBe(state)

const settles = (vmid: number, host: string) => becomes(vmid, `started on ${host}`)

const managerStatus = async () => {
  const { manager_status } = (await lab.api('GET', '/cluster/ha/status/manager_status')).data as {
    manager_status: { node_status: Record<string, string>; service_status: Record<string, Reported> }
  }
  return manager_status
}

test('a VM whose host is lost comes up on another one, but only when the host is fenced', async () => {
  await start(9, 250)
  await aManagedVm(100, 'pve2')
  await settles(100, 'pve2')
  const lostAt = lab.clock.now()
  await lab.sim.setHostOnline('pve2', false)
  await expect
    .poll(managerStatus, { timeout: 5000, interval: 5 })
    .toMatchObject({ node_status: { pve2: 'fence' }, service_status: { 'vm:100': { state: 'fence', node: 'pve2' } } })
  await settles(100, 'pve1')
  const recovered = lab.ledger.entries().find(({ event }) => event === 'vm.recovered')
  expect(recovered?.detail).toEqual({ from: 'pve2', to: 'pve1' })
  expect((recovered?.at ?? 0) - lostAt).toBeGreaterThanOrEqual(120_000)
  expect(lab.guests.running.get(100)?.host).toBe('pve1')
  expect((await managerStatus()).service_status['vm:100']).toMatchObject({ state: 'started', node: 'pve1', running: 1 })
})

test('a VM with a disk on the lost host ends in error until it is disabled', async () => {
  await start()
  await aManagedVm(100, 'pve2', { vm: { scsi0: 'local-lvm:8' } })
  await settles(100, 'pve2')
  await lab.sim.setHostOnline('pve2', false)
  await becomes(100, 'error on pve1')
  expect((await lab.api('GET', '/nodes/pve1/qemu/100/status/current')).data).toMatchObject({
    status: 'stopped',
    ha: { managed: 1, state: 'error' },
  })
  const refused = await lab.api('PUT', '/cluster/ha/resources/vm:100', { state: 'started' })
  expect(refused.message).toBe("service 'vm:100' in error state, must be disabled and fixed first\n")
  expect(await lab.task('POST', '/nodes/pve1/qemu/100/status/start')).toContain('in error state')
  await lab.api('PUT', '/cluster/ha/resources/vm:100', { state: 'disabled' })
  await becomes(100, 'disabled on pve1')
})

test('a move that is requested while another one runs is dropped without a word', async () => {
  await start(9, 500)
  await aManagedVm(100, 'pve2', { vm: { memory: '60000' } })
  await settles(100, 'pve2')
  await lab.api('POST', '/cluster/ha/resources/vm:100/migrate', { node: 'pve1' })
  await becomes(100, 'migrate on pve2')
  const again = await lab.api('POST', '/cluster/ha/resources/vm:100/migrate', { node: 'pve3' })
  expect(again).toMatchObject({ status: 200 })
  await settles(100, 'pve1')
  await lab.clock.sleep(60_000)
  expect(await service(100)).toBe('started on pve1')
})

test('groups of 8 say where a VM goes, whether it may go elsewhere, and whether it comes back', async () => {
  await start(8)
  await lab.api('POST', '/cluster/ha/groups', { group: 'home', nodes: 'pve2:2,pve3:1', restricted: 1 })
  await lab.api('POST', '/cluster/ha/groups', { group: 'away', nodes: 'pve2:2,pve1:1', nofailback: 1 })
  await aManagedVm(100, 'pve2', { resource: { group: 'home' } })
  await aManagedVm(101, 'pve2', { resource: { group: 'away' } })
  await settles(100, 'pve2')
  await settles(101, 'pve2')
  await lab.sim.setHostOnline('pve2', false)
  await settles(100, 'pve3')
  await settles(101, 'pve1')
  await lab.sim.setHostOnline('pve3', false)
  await becomes(100, 'recovery on pve3')
  await lab.sim.setHostOnline('pve2', true)
  await settles(100, 'pve2')
  expect(await service(101)).toBe('started on pve1')
})

test('rules of 9 keep VMs on their hosts, together, and apart', async () => {
  await start()
  for (const vmid of [100, 101, 102]) await aManagedVm(vmid, 'pve3', { resource: { state: 'stopped' } })
  const rule = (name: string, options: Record<string, string | number>) =>
    lab.api('POST', '/cluster/ha/rules', { rule: name, ...options })
  await rule('home', { type: 'node-affinity', nodes: 'pve2', strict: 1, resources: 'vm:100' })
  await rule('apart', { type: 'resource-affinity', affinity: 'negative', resources: 'vm:100,vm:101' })
  await rule('together', { type: 'resource-affinity', affinity: 'positive', resources: 'vm:101,vm:102' })
  for (const vmid of [100, 101, 102]) await lab.api('PUT', `/cluster/ha/resources/vm:${vmid}`, { state: 'started' })
  await settles(100, 'pve2')
  await settles(101, 'pve3')
  await settles(102, 'pve3')
  await lab.sim.setHostOnline('pve3', false)
  await settles(101, 'pve1')
  await settles(102, 'pve1')
  await lab.sim.setHostOnline('pve2', false)
  await becomes(100, 'recovery on pve2')
})

test('a move that is asked for goes through the manager, and takes companions along', async () => {
  await start()
  for (const vmid of [100, 101, 102]) await aManagedVm(vmid, vmid === 102 ? 'pve3' : 'pve1')
  for (const vmid of [100, 101]) await settles(vmid, 'pve1')
  await settles(102, 'pve3')
  const rule = { type: 'resource-affinity', affinity: 'positive', resources: 'vm:100,vm:101' }
  await lab.api('POST', '/cluster/ha/rules', { rule: 'together', ...rule })
  await lab.api('POST', '/cluster/ha/rules', {
    ...rule,
    rule: 'apart',
    affinity: 'negative',
    resources: 'vm:100,vm:102',
  })
  expect((await lab.api('POST', '/cluster/ha/resources/vm:100/migrate', { node: 'pve3' })).data).toEqual({
    sid: 'vm:100',
    'requested-node': 'pve3',
    'comigrated-resources': ['vm:101'],
    'blocking-resources': [{ sid: 'vm:102', cause: 'resource-affinity' }],
  })
  expect(await lab.task('POST', '/nodes/pve1/qemu/100/migrate', { target: 'pve2', online: 1 })).toBe('OK')
  await settles(100, 'pve2')
  await settles(101, 'pve2')
  await lab.api('POST', '/cluster/ha/resources/vm:102/relocate', { node: 'pve1' })
  await settles(102, 'pve1')
  const tasks = (await lab.api('GET', '/nodes/pve3/tasks', { vmid: 102, source: 'all' })).data as { type: string }[]
  expect(tasks.map(({ type }) => type)).toEqual(expect.arrayContaining(['qmshutdown', 'qmigrate']))
})

test.each([
  { most: 1, ends: 'error on pve2' },
  { most: 2, ends: 'started on pve3' },
])('a VM that cannot start is tried on $most other host(s): $ends', async ({ most, ends }) => {
  await start()
  await aManagedVm(100, 'pve1', { vm: { net0: 'virtio,bridge=vmbr1' }, resource: { max_relocate: most } })
  await becomes(100, ends)
})

test('a guest that switches itself off is started again; one that is stopped through the API stays so', async () => {
  await start()
  await aManagedVm(100, 'pve1')
  await settles(100, 'pve1')
  lab.guests.running.get(100)?.onPowerOff()
  await expect.poll(() => lab.guests.running.has(100), { interval: 5 }).toBe(true)
  expect(await lab.task('POST', '/nodes/pve1/qemu/100/status/stop')).toBe('OK')
  await becomes(100, 'stopped on pve1')
  expect(lab.guests.running.has(100)).toBe(false)
  expect((await lab.api('GET', '/cluster/ha/resources/vm:100')).data).toMatchObject({ state: 'stopped' })
})

test('a manager that was saved while a host is lost goes on when the lab does', async () => {
  await start()
  await aManagedVm(100, 'pve2')
  await settles(100, 'pve2')
  await lab.sim.setHostOnline('pve2', false)
  const resume = JSON.parse(JSON.stringify(lab.sim.save()))
  await lab.close()
  lab = await startSmallLab({ topology, speed: 10_000, resume })
  await settles(100, 'pve1')
})
