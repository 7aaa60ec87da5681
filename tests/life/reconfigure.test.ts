import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { PlannedStep } from '../../src/plan/plan.js'
import { byHand } from '../support/by-hand.js'
import { aStage, aTopology, type Stage } from '../support/lab.js'
import { replace } from '../support/verbs.js'
import { watchWorkload } from '../support/watched-workload.js'

type Data = Readonly<Record<string, unknown>>

/** A cluster with one worker pool; `pool` and `more` are what a story changes. */
function yaml({ pool = {}, more = {} }: { pool?: Data; more?: Data } = {}, size = { controlPlanes: 1, workers: 1 }) {
  return stringify({
    cluster_name: 'dev',
    talos_version: 'v1.13.9',
    control_plane_count: size.controlPlanes,
    worker_count: 0,
    network: { cidr: '10.0.10.0/24', gateway: '10.0.10.254', vip: '10.0.10.5' },
    proxmox: { datastore: 'local-lvm' },
    sizing: {
      control_plane: { cpu: 2, ram: '4GiB', disk: '20G' },
      worker: { cpu: 2, ram: '4GiB', disk: '20G' },
    },
    worker_pools: [{ name: 'gpu', count: size.workers, ...pool }],
    ...more,
  })
}

let stage: Stage
beforeAll(async () => {
  const pciMappings = ['pve1', 'pve2', 'pve3'].map((host) => ({ id: 'gpu', host, path: '0000:01:00.0' }))
  const topology = aTopology({ hosts: 3, pciMappings })
  stage = await aStage({ speed: 500, topology, files: { 'cluster.yaml': yaml() } })
  await stage.up()
})
afterAll(() => stage.close())

const machine = 'dev-gpu-1'

/** How a plan gives that machine what is wanted. */
function howOf(steps: readonly PlannedStep[]): 'in place' | 'drained restart' | 'replaced' | 'nothing' {
  const own = steps.filter((step) => step.machine === machine && step.changes).map(({ kind }) => kind)
  if (own.includes('delete-machine')) return 'replaced'
  if (own.some((kind) => kind === 'restart-vm' || kind === 'reboot-with-config'))
    return own.includes('drain-node') && own.includes('uncordon-node') ? 'drained restart' : 'nothing'
  return own.length > 0 ? 'in place' : 'nothing'
}

interface Row {
  readonly what: string
  readonly change: { readonly pool?: Data; readonly more?: Data }
  readonly how: ReturnType<typeof howOf>
  readonly reason: string | RegExp
  /** How it is rolled back, where the inventory can. */
  readonly back?: { readonly how: ReturnType<typeof howOf>; readonly reason: string | RegExp }
}

/** What comes and goes in the same way. */
function bothWays(what: string, change: Row['change'], how: Row['how'], there: Row['reason'], back = there): Row {
  return { what, change, how, reason: there, back: { how, reason: back } }
}

const secondNic = {
  cidr: '10.0.10.0/24',
  gateway: '10.0.10.254',
  vip: '10.0.10.5',
  nics: [{ bridge: 'vmbr0', cidr: '10.0.12.0/24' }],
}
const swappiness = { machine: { sysctls: { 'vm.swappiness': '10' } } }
const restart = 'drained restart'

const rows: readonly Row[] = [
  bothWays(
    'cpu',
    { pool: { sizing: { cpu: 4 } } },
    restart,
    'cpu 2 -> 4, needs a restart',
    'cpu 4 -> 2, needs a restart',
  ),
  bothWays(
    'ram',
    { pool: { sizing: { ram: '6GiB' } } },
    restart,
    'ram 4 GiB -> 6 GiB, needs a restart',
    'ram 6 GiB -> 4 GiB, needs a restart',
  ),
  bothWays(
    'VLAN',
    { more: { proxmox: { datastore: 'local-lvm', vlan_id: 20 } } },
    'in place',
    'net0 tag unset -> 20',
    'net0 tag 20 -> unset',
  ),
  bothWays('labels', { pool: { labels: { 'example.org/tier': 'gold' } } }, 'in place', /nodeLabels.*changed$/),
  bothWays('taints', { pool: { taints: ['gpu=yes:NoSchedule'] } }, 'in place', /taint/i),
  bothWays('a patch', { pool: { patches: [swappiness] } }, 'in place', /sysctls.*changed$/),
  bothWays(
    'a PCI device',
    { pool: { devices: [{ mapping: 'gpu' }] } },
    restart,
    /^hostpci0 .*needs a restart$/,
    'hostpci0 was removed from the inventory, needs a restart',
  ),
  bothWays(
    'a disk flag',
    { more: { vm: { disk: { cache: 'writeback' } } } },
    restart,
    /^disk scsi0 cache.*needs a restart$/,
  ),
  bothWays(
    'the startup order',
    { more: { vm: { startup: 'order=2' } } },
    'in place',
    /^startup /,
    'startup was removed from the inventory',
  ),
  bothWays('a NIC', { more: { network: secondNic } }, 'in place', /net1/),
  bothWays(
    'disk encryption',
    { pool: { patches: [encryptionPatch()] } },
    'replaced',
    'disk encryption changed, needs another VM',
  ),
  {
    what: 'disk growth',
    change: { pool: { sizing: { disk: '30G' } } },
    how: 'in place',
    reason: 'disk scsi0 20 GiB -> 30 GiB, grows in place',
  },
]

function encryptionPatch() {
  return {
    apiVersion: 'v1alpha1',
    kind: 'VolumeConfig',
    name: 'STATE',
    encryption: { provider: 'luks2', keys: [{ slot: 0, nodeID: {} }] },
  }
}

async function comes(change: Row['change'], how: Row['how'], reason: string | RegExp): Promise<void> {
  await stage.write('cluster.yaml', yaml(change))
  const { plan } = await stage.plan()
  const reasons = plan.steps.filter((step) => step.machine === machine && step.changes).map((step) => step.reason)
  expect(howOf(plan.steps), reasons.join('\n')).toBe(how)
  expect(
    reasons.some((one) => (typeof reason === 'string' ? one === reason : reason.test(one))),
    reasons.join('\n'),
  ).toBe(true)
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
}

test.each(rows)('$what: $how, and back', async ({ change, how, reason, back }) => {
  await comes(change, how, reason)
  if (back !== undefined) await comes({}, back.how, back.reason)
})

test('a smaller disk is refused, and ichor replace makes the machine again with it', async () => {
  await stage.write('cluster.yaml', yaml())
  await expect(stage.up()).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('Disk scsi0 of dev-gpu-1 has 30 GiB, but the inventory has 20 GiB.'),
    fix: expect.stringContaining('ichor replace dev-gpu-1'),
  })
  expect(await stage.up({ change: replace(machine) })).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})

test('3+3 get more memory and processors: drained and restarted in turn, and the cluster is there all the time', async () => {
  const size = { controlPlanes: 3, workers: 3 }
  const sizing = (cpu: number, ram: string) => ({ cpu, ram, disk: '20G' })
  const larger = { sizing: { control_plane: sizing(4, '6GiB'), worker: sizing(4, '6GiB') } }
  const own = await aStage({ speed: 50, files: { 'cluster.yaml': yaml({}, size) } })
  try {
    await own.up()
    const workload = await watchWorkload(own, '10.0.10.5')
    await own.write('cluster.yaml', yaml({ more: larger }, size))
    expect(await own.up({ signal: AbortSignal.timeout(240_000) })).toMatchObject({ outcome: 'done' })
    expect(await own.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
    workload.kept({
      controlPlanes: { machines: ['dev-cp-1', 'dev-cp-2', 'dev-cp-3'], maxAway: 1 },
      gpu: { machines: ['dev-gpu-1', 'dev-gpu-2', 'dev-gpu-3'], maxAway: 1 },
    })
    const restarts = own.events.flatMap((event) =>
      event.type === 'step.finished' && event.step.startsWith('restart-vm?') && event.outcome === 'done'
        ? [event.step]
        : [],
    )
    expect(restarts).toHaveLength(6)
  } finally {
    await own.close()
  }
})

test('a drain that a PodDisruptionBudget holds is refused, and goes through where the inventory says so', async () => {
  const { world, signal } = await byHand(stage)
  const labels = { app: 'one' }
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: 'one', image: 'registry.k8s.io/pause:3.10' }] },
  }
  const metadata = { name: 'one', namespace: 'default' }
  await world.kubernetes.at([{ host: '10.0.10.10', port: 6443 }]).apply(
    [
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: { replicas: 1, selector: { matchLabels: labels }, template },
      },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata,
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      },
    ],
    { fieldManager: 'test', force: true },
    signal,
  )
  await world.clock.sleep(60_000, signal)
  const changed = (ignore: boolean) => ({
    pool: { sizing: { cpu: 4 } },
    more: { roll: { drain_timeout: '2m', ignore_budgets: ignore } },
  })
  await stage.write('cluster.yaml', yaml(changed(false)))
  await expect(stage.up()).rejects.toMatchObject({
    code: 'refused',
    fix: expect.stringContaining('roll.ignore_budgets'),
  })
  expect(stage.lab.availability.machineOutages(machine).filter(({ to }) => to === undefined)).toEqual([])
  await stage.write('cluster.yaml', yaml(changed(true)))
  expect(await stage.up()).toMatchObject({ outcome: 'done' })
  expect(await stage.up()).toEqual({ outcome: 'nothing-to-do', changed: 0 })
})
