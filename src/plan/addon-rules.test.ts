import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { aWorld, planOf, specFor } from '../../tests/support/worlds.js'
import { resolveAddons } from '../addons/resolve-addons.js'
import { seen } from '../cluster/seen.js'
import type { Observed } from '../observe/observed.js'

const hosts = ['pve1', 'pve2', 'pve3']

type Settings = Parameters<typeof resolveAddons>[0]

async function planWith(
  addons: Omit<Settings, 'custom'> & Partial<Pick<Settings, 'custom'>>,
  observed: Observed = aWorld(hosts),
) {
  const inventory = await anInventory({ controlPlanes: 3, workers: 2, hosts })
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
