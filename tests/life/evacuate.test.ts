import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ifSeen } from '../../src/cluster/seen.js'
import type { KubernetesObject } from '../../src/kubernetes/port.js'
import type { Plan } from '../../src/plan/plan.js'
import { byHand } from '../support/by-hand.js'
import { anInventoryFolder, aStage, aTopology, clusterYaml, mutatingCalls, type Stage } from '../support/lab.js'
import { whatIsThere } from '../support/left-behind.js'
import { evacuateHosts } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

const vip = '10.0.10.5'
const GiB = 1024 ** 3
const hosts = aTopology({ hosts: 3 })
const shared = { id: 'shared', type: 'rbd', content: ['images'], shared: true, total: 4000 * GiB } as const
const device = { id: 'gpu', host: 'pve1', path: '0000:01:00' }
const card = { id: 'card', path: '0000:02:00' }
const cards = [
  { ...card, host: 'pve1' },
  { ...card, host: 'pve2' },
]
const topology = { ...hosts, storages: [...hosts.storages, shared], pciMappings: [device, ...cards] }
const yaml = (datastore: string) =>
  clusterYaml({ controlPlanes: 3, workers: 3, extra: 'secrets: plain\n' })
    .replace('10.0.10.254', `10.0.10.254\n  vip: ${vip}`)
    .replace('datastore: local-lvm', `datastore: ${datastore}`)
    .replace('worker_count: 3', 'worker_count: 3 # as many as we need')

/** Clusters of three control planes and three workers, one of each on each host, made once for all stories. */
const standing = new Map<string, { lab: ReturnType<Stage['lab']['save']>; folder: string }>()
let stage: Stage

beforeAll(async () => {
  for (const datastore of ['local-lvm', 'shared']) {
    const files = { 'cluster.yaml': yaml(datastore) }
    const folder = await anInventoryFolder(files)
    const builder = await aStage({ speed: 1500, topology, files, folder })
    await builder.up()
    standing.set(datastore, { lab: builder.lab.save(), folder })
    await builder.close()
  }
}, 120_000)
afterEach(() => stage.close())
afterAll(async () => {
  for (const { folder } of standing.values()) await rm(folder, { recursive: true, force: true })
})

async function aCluster(datastore = 'local-lvm'): Promise<Stage> {
  const { lab, folder } = standing.get(datastore) ?? {}
  if (lab === undefined || folder === undefined) throw new Error(`no cluster on ${datastore} was made`)
  const files = { 'cluster.yaml': yaml(datastore) }
  const opened = await aStage({ speed: 1000, topology, files, folder, resume: lab })
  await opened.write('cluster.yaml', yaml(datastore))
  return opened
}

const written = () => readFile(join(stage.folder, 'cluster.yaml'), 'utf8')
const machinesOn = (host: string) =>
  whatIsThere(stage.lab).vms.flatMap((vm) => (vm.split(' ')[1] === host ? (vm.split(' ')[2] ?? []) : []))
const moves = () => mutatingCalls(stage.lab).filter((call) => call.endsWith('/migrate'))
const homes = async () => {
  const { machines } = (await stage.plan()).observed
  return Object.fromEntries(machines.flatMap(({ name, mark }) => (mark.more?.home ? [[name, mark.more.home]] : [])))
}
const evacuated = 'placement:\n  evacuate:\n    - pve1\n'

test.each(['local-lvm', 'shared'])('a host is evacuated and its machines return, disks on %s', async (datastore) => {
  stage = await aCluster(datastore)
  const before = yaml(datastore)
  const workload = await watchWorkload(stage, vip)
  expect(machinesOn('pve1')).toEqual(['dev-cp-1', 'dev-wk-1'])
  await stage.up({ change: evacuateHosts(['pve1']) })
  expect(machinesOn('pve1')).toEqual([])
  expect(await written()).toBe(before.concat(evacuated))
  expect(await homes()).toEqual({ 'dev-cp-1': 'pve1', 'dev-wk-1': 'pve1' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

  await stage.up({ change: evacuateHosts(['pve1'], { isReturn: true }) })
  expect(machinesOn('pve1')).toEqual(['dev-cp-1', 'dev-wk-1'])
  expect(await written()).toBe(before)
  expect(await homes()).toEqual({})
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(moves()).toHaveLength(4)
  workload.kept({ workers: { machines: ['dev-wk-1', 'dev-wk-2', 'dev-wk-3'], maxAway: 0 } })
  expect(stage.lab.availability.machineOutages()).toEqual([])
})

test('the member that leads etcd hands over before it moves', async () => {
  stage = await aCluster()
  const leaderHost = async () => {
    const { etcd, machines } = (await stage.plan()).observed
    const seen = ifSeen(etcd)
    const leader = seen?.owners[seen.leader ?? '']
    return machines.find(({ name }) => name === leader)?.host ?? ''
  }
  await stage.up({ change: evacuateHosts([await leaderHost()]) })
  const events = stage.lab.ledger.entries().map(({ event, subject }) => `${event} ${subject}`)
  const forfeited = events.findIndex((event) => event.startsWith('etcd.leader-moved'))
  expect(forfeited).toBeGreaterThan(-1)
  expect(events.slice(forfeited).some((event) => event.endsWith('/migrate'))).toBe(true)
  expect(stage.lab.availability.etcdOutages()).toEqual([])
})

test('one control plane is off, another one is deleted, and a host is to be evacuated: votes come first', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  await hand.stop('dev-cp-2')
  await hand.remove('dev-cp-3')
  await stage.write('cluster.yaml', yaml('local-lvm').concat(evacuated))
  expect(await stage.up({ signal: AbortSignal.timeout(400_000) })).toMatchObject({ outcome: 'done' })
  expect(machinesOn('pve1')).toEqual([])
  expect(whatIsThere(stage.lab).vms).toHaveLength(6)
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('refused with the numbers when the machines do not fit elsewhere, and nothing is written', async () => {
  stage = await aCluster()
  const full = yaml('local-lvm').concat('reserve:\n  "*": { ram: 116GiB }\n')
  await stage.write('cluster.yaml', full)
  await expect(stage.up({ change: evacuateHosts(['pve1']) })).rejects.toMatchObject({
    message: expect.stringMatching(
      /^pve1 cannot be evacuated: dev-cp-1 asks for 2 vCPU and 4 GiB of memory, .*pve2 has 2 GiB of memory free beside its reserve; pve3 has 2 GiB/,
    ),
    fix: expect.stringContaining('Free capacity on another host'),
  })
  expect(await written()).toBe(full)
  expect(moves()).toEqual([])
})

const volume = (name: string, label: string, value: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name: `data-${name}` },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key: label, operator: 'In', values: [value] }] }] },
    },
  },
})

test('refused while volumes are bound to the host; those on the disks of a machine move with it', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  const api = hand.world.kubernetes.at([{ host: vip, port: 6443 }])
  const volumes = [
    volume('pvc-zone', 'topology.kubernetes.io/zone', 'pve1'),
    volume('pvc-node', 'kubernetes.io/hostname', 'dev-wk-1'),
  ]
  await api.apply(volumes, { fieldManager: 'test', force: true }, hand.signal)
  const problem = 'pve1 cannot be evacuated: 1 volume in use is bound to it: pvc-zone (of default/data-pvc-zone).'
  await expect(stage.up({ change: evacuateHosts(['pve1']) })).rejects.toThrow(problem)
  expect(await written()).toBe(yaml('local-lvm'))
  // The same by hand: the run itself looks before the first machine moves.
  await stage.write('cluster.yaml', yaml('local-lvm').concat(evacuated))
  await expect(stage.up()).rejects.toThrow(problem)
  expect(moves()).toEqual([])
  await api.delete({ apiVersion: 'v1', kind: 'PersistentVolume' }, undefined, 'pvc-zone', hand.signal)
  await stage.up()
  expect(machinesOn('pve1')).toEqual([])
})

test('a machine that cannot be moved, because it uses a device of its host, is replaced elsewhere', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  await hand.stop('dev-wk-1')
  await hand.set('dev-wk-1', { hostpci0: 'mapping=gpu' })
  await stage.up({ change: evacuateHosts(['pve1']) })
  expect(machinesOn('pve1')).toEqual([])
  expect(moves()).toHaveLength(1)
  const { machines } = (await stage.plan()).observed
  expect(machines.find(({ name }) => name === 'dev-wk-1')).toMatchObject({ status: 'running', node: { ready: true } })
  expect(await homes()).toEqual({ 'dev-cp-1': 'pve1', 'dev-wk-1': 'pve1' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  // The new VM has no such device, and is moved back as any other.
  await stage.up({ change: evacuateHosts(['pve1'], { isReturn: true }) })
  expect(machinesOn('pve1')).toEqual(['dev-cp-1', 'dev-wk-1'])
  expect(moves()).toHaveLength(3)
  expect(await homes()).toEqual({})
})

test('a machine that can never be moved is replaced elsewhere, and replaced back on its host: everything returns', async () => {
  stage = await aCluster()
  const before = yaml('local-lvm').concat(
    'workers:\n  - { name: dev-gpu, ip: 10.0.10.60, devices: [{ mapping: card }], disks: [5G] }\n',
  )
  await stage.write('cluster.yaml', before)
  await stage.up()
  const there = machinesOn('pve1')
  expect(there).toEqual(['dev-cp-1', 'dev-gpu'])
  const workload = await watchWorkload(stage, vip)
  const lost: string[] = []
  const confirm = async ({ steps }: Plan) => {
    lost.push(...steps.flatMap(({ loses }) => loses))
    return true
  }
  await stage.up({ change: evacuateHosts(['pve1']), confirm })
  expect(machinesOn('pve1')).toEqual([])
  expect(await homes()).toEqual({ 'dev-cp-1': 'pve1', 'dev-gpu': 'pve1' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })

  // As if the host were taken out of the inventory by hand.
  await stage.write('cluster.yaml', before)
  await stage.up({ confirm })
  expect(machinesOn('pve1')).toEqual(there)
  expect(await homes()).toEqual({})
  expect(lost).toEqual(['disk scsi1 (5 GiB) of dev-gpu', 'disk scsi1 (5 GiB) of dev-gpu'])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(moves()).toHaveLength(2)
  workload.kept({ workers: { machines: ['dev-wk-2', 'dev-wk-3'], maxAway: 0 } })
})

test('refused when the inventory gives a machine a device that only its host has: nobody moves', async () => {
  stage = await aCluster()
  const withDevice = yaml('local-lvm').concat(
    'workers:\n  - { name: dev-gpu, ip: 10.0.10.60, devices: [{ mapping: gpu }] }\n',
  )
  await stage.write('cluster.yaml', withDevice)
  await stage.up()
  expect(machinesOn('pve1')).toContain('dev-gpu')
  await expect(stage.up({ change: evacuateHosts(['pve1']) })).rejects.toThrow(/pve1 cannot be evacuated: dev-gpu/)
  expect(await written()).toBe(withDevice)
  expect(moves()).toEqual([])
})

test('refused while etcd would lose its majority: a control plane fails when the run has just begun', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  let asked = 0
  await stage.write('cluster.yaml', yaml('local-lvm').concat(evacuated))
  const run = stage.up({
    through: (world) => {
      const { machines } = world.proxmox
      const askMigration: typeof machines.askMigration = async (...args) => {
        const [, target] = args
        if (target !== undefined && asked++ === 0) await hand.stop('dev-cp-2')
        return machines.askMigration(...args)
      }
      return { ...world, proxmox: { ...world.proxmox, machines: { ...machines, askMigration } } }
    },
  })
  await expect(run).rejects.toThrow(
    'etcd has 3 members, 2 of them healthy: without dev-cp-1 it would lose its majority.',
  )
  expect(moves()).toEqual([])
  await stage.up()
  expect(machinesOn('pve1')).toEqual([])
})

test('a migration that fails half-way leaves the machine where it was, and the next run moves it', async () => {
  stage = await aCluster()
  stage.lab.faults.add({
    match: { surface: 'proxmox', method: 'POST', path: '/migrate$' },
    action: { kind: 'fail-task', message: 'lost connection to the target' },
  })
  await expect(stage.up({ change: evacuateHosts(['pve1']) })).rejects.toThrow('migration aborted')
  expect(machinesOn('pve1')).not.toEqual([])
  expect(stage.lab.availability.machineOutages()).toEqual([])
  await stage.up()
  expect(machinesOn('pve1')).toEqual([])
  expect(await homes()).toEqual({ 'dev-cp-1': 'pve1', 'dev-wk-1': 'pve1' })
})

test('a machine that is off moves as it is, and is started where it goes', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  await hand.stop('dev-wk-1')
  await stage.up({ change: evacuateHosts(['pve1']) })
  const { machines } = (await stage.plan()).observed
  expect(machines.find(({ name }) => name === 'dev-wk-1')).toMatchObject({ status: 'running', node: { ready: true } })
  expect(machinesOn('pve1')).toEqual([])
})

test('somebody moves a machine by hand in the same moment: it is found where it is', async () => {
  stage = await aCluster()
  const hand = await byHand(stage)
  let isFirst = true
  const run = stage.up({
    change: evacuateHosts(['pve1']),
    through: (world) => {
      const { machines } = world.proxmox
      const migrate: typeof machines.migrate = async (vm, options, signal) => {
        if (isFirst) {
          isFirst = false
          const target = options.target === 'pve2' ? 'pve3' : 'pve2'
          await hand.wait(machines.migrate(vm, { ...options, target }, signal))
        }
        return machines.migrate(vm, options, signal)
      }
      return { ...world, proxmox: { ...world.proxmox, machines: { ...machines, migrate } } }
    },
  })
  await run.catch(() => undefined)
  await stage.up()
  expect(machinesOn('pve1')).toEqual([])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  await stage.up({ change: evacuateHosts(['pve1'], { isReturn: true }) })
  expect(machinesOn('pve1')).toEqual(['dev-cp-1', 'dev-wk-1'])
})

test('a host that Proxmox does not have is refused', async () => {
  stage = await aCluster()
  await expect(stage.up({ change: evacuateHosts(['pve11']) })).rejects.toMatchObject({
    message: 'There is no Proxmox host pve11.',
    fix: expect.stringContaining('Did you mean pve1?'),
  })
})

test('a migration whose worker is killed leaves a lock: refused with the fix until root removes it, then finished', async () => {
  stage = await aCluster()
  const match = { surface: 'proxmox', method: 'POST', path: '/migrate$' } as const
  stage.lab.faults.add({ match, action: { kind: 'kill-task' } })
  await expect(stage.up({ change: evacuateHosts(['pve1']) })).rejects.toThrow('The task was killed')
  const calls = mutatingCalls(stage.lab).length
  const refused = await stage.up().catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({
    message: expect.stringMatching(/^dev-(cp|wk)-1 \(VM \d+\) is locked by a migration that still runs or was killed/),
    fix: expect.stringMatching(/run "qm unlock \d+" as root on pve1; then run the same command again/),
    exitCode: 3,
  })
  await expect(stage.destroy()).rejects.toThrow('is locked by a migration')
  expect(mutatingCalls(stage.lab)).toHaveLength(calls)
  stage.lab.proxmox.trouble.unlockVm(Number(/VM (\d+)/.exec(String(refused))?.[1]))
  await stage.up()
  expect(machinesOn('pve1')).toEqual([])
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
  expect(stage.lab.availability.machineOutages()).toEqual([])
})
