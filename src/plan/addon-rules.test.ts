import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { notesOf } from '../../tests/support/plan-notes.js'
import { aWorld, planOf, specFor } from '../../tests/support/worlds.js'
import { resolveAddons } from '../addons/resolve-addons.js'
import { seen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']

type Settings = Parameters<typeof resolveAddons>[0]

async function planWith(
  addons: Omit<Settings, 'custom'> & Partial<Pick<Settings, 'custom'>>,
  observed: Observed = aWorld(hosts),
  inventoryWith: Readonly<Record<string, unknown>> = {},
) {
  const inventory = await anInventory({ controlPlanes: 3, workers: 2, hosts, with: inventoryWith })
  const context = {
    clusterName: 'dev',
    kubernetesVersion: 'v1.36.3',
    loadBalancer: [],
    controlPlanes: 3,
    workers: 2,
    proxmox: { endpoint: 'https://pve1:8006', insecure: false, region: 'dev', datastore: 'local-lvm' },
    secrets: {},
  }
  const planned = resolveAddons({ custom: [], ...addons }, context)
  return planOf(specFor(inventory, { addons: planned }), observed)
}

const plain = { values: {}, managed_by: 'ichor', delivery: 'job' } as const

test('logs without a StorageClass are refused before anything is built, with the two ways out', async () => {
  await expect(planWith({ loki: plain })).rejects.toMatchObject({
    message: 'loki needs volumes, and nothing in the inventory brings a default StorageClass.',
    fix: expect.stringMatching(/addons\.proxmox_csi or addons\.longhorn.*singleBinary/),
  })
})

test.each<{ way: string; addons: Parameters<typeof planWith>[0] }>([
  { way: 'longhorn brings one', addons: { loki: plain, longhorn: plain } },
  {
    way: 'its values name one',
    addons: { loki: { ...plain, values: { singleBinary: { persistence: { storageClass: 'nfs' } } } } },
  },
  { way: 'gitops installs it', addons: { loki: { ...plain, managed_by: 'gitops' } } },
])('not if $way', async ({ addons }) => {
  expect((await planWith(addons)).steps.length).toBeGreaterThan(0)
})

test('an addon that is there has found its volumes', async () => {
  const world = aWorld(hosts)
  const loki = {
    name: 'loki',
    version: '6.55.0',
    spec: 'x',
    healthy: true,
    managedBy: 'ichor',
    holdsData: true,
  } as const
  const kubernetes = seen({ version: 'v1.36.3', nodes: [], addons: [loki] })
  const planned = await planWith({ loki: plain }, { ...world, kubernetes } as Observed)
  expect(planned.steps.length).toBeGreaterThan(0)
})

const taints = ['dedicated=gpu:NoSchedule']
const onlyTainted = { worker_count: 0, worker_pools: [{ name: 'gpu', count: 2, taints }] }
const deployment = (more: object) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'shop', namespace: 'default' },
    spec: { template: { spec: { containers: [], ...more } } },
  })
const custom = (more: object) => [
  {
    name: 'shop',
    namespace: 'default',
    values: {},
    after: [],
    managed_by: 'ichor' as const,
    delivery: 'job' as const,
    ...more,
  },
]
const chart = { repository: 'https://charts.example.com', name: 'shop', version: '1.0.0' }

test.each<{ addon: string; addons: Parameters<typeof planWith>[0] }>([
  { addon: 'metrics_server', addons: { metrics_server: plain } },
  { addon: 'cert_manager', addons: { cilium: plain, cert_manager: plain } },
  { addon: 'shop', addons: { custom: custom({ inline: deployment({}) }) } },
])('no node takes the pods of $addon: refused before anything is built', async ({ addon, addons }) => {
  await expect(planWith(addons, aWorld(hosts), onlyTainted)).rejects.toMatchObject({
    message: `No node takes the pods of ${addon}: every worker has a taint, and control planes take no ordinary pods.`,
    fix: expect.stringMatching(/kubernetes\.schedule_on_control_planes.*tolerations/),
  })
})

test.each<{ way: string; addons: Parameters<typeof planWith>[0]; with?: Readonly<Record<string, unknown>> }>([
  { way: 'they tolerate taints', addons: { cilium: plain, proxmox_ccm: plain, kubelet_csr_approver: plain } },
  { way: 'their values tolerate taints', addons: { metrics_server: { ...plain, values: { tolerations: [{}] } } } },
  { way: 'its manifest does', addons: { custom: custom({ inline: deployment({ tolerations: [{}] }) }) } },
  { way: 'gitops installs it', addons: { metrics_server: { ...plain, managed_by: 'gitops' } } },
  {
    way: 'control planes take them',
    addons: { metrics_server: plain },
    with: { ...onlyTainted, kubernetes: { schedule_on_control_planes: true } },
  },
  {
    way: 'the taint only says what is preferred',
    addons: { metrics_server: plain },
    with: { worker_count: 0, worker_pools: [{ name: 'gpu', count: 2, taints: ['a=b:PreferNoSchedule'] }] },
  },
  {
    way: 'one pool has no taint',
    addons: { metrics_server: plain },
    with: { worker_count: 0, worker_pools: [...onlyTainted.worker_pools, { name: 'plain', count: 1, offset: 3000 }] },
  },
])('pods find a node if $way', async ({ addons, with: inventory = onlyTainted }) => {
  const plan = await planWith(addons, aWorld(hosts), inventory)
  expect(plan.steps.length).toBeGreaterThan(0)
  expect(notesOf(plan).join(' ')).not.toContain('takes')
})

test('what a chart of others tolerates is not known: the plan says so', async () => {
  const notes = notesOf(await planWith({ custom: custom({ chart }) }, aWorld(hosts), onlyTainted))
  expect(notes).toContainEqual(expect.stringMatching(/^No node takes the pods of shop unless they tolerate a taint/))
})

test('an addon that is there has found its nodes, and so has one beside a node of others', async () => {
  const world = aWorld(hosts)
  const metrics = {
    name: 'metrics_server',
    version: '1',
    spec: 'x',
    healthy: true,
    managedBy: 'ichor',
    holdsData: false,
  } as const
  const there = seen({ version: 'v1.36.3', nodes: [], addons: [metrics] })
  const beside = seen({ version: 'v1.36.3', nodes: [{ name: 'theirs', systemUuid: 'theirs', taints: [] }], addons: [] })
  for (const kubernetes of [there, beside]) {
    const planned = await planWith({ metrics_server: plain }, { ...world, kubernetes } as Observed, onlyTainted)
    expect(planned.steps.length).toBeGreaterThan(0)
  }
})
