import { expect, test } from 'vitest'
import { inventoryOf } from '../../../tests/support/inventories.js'
import { generateBundle } from '../../secrets/generate.js'
import { drillInventory, drillSecrets, drillSpec } from './drill-cluster.js'

const settings = {
  cluster_name: 'dev',
  control_plane_count: 3,
  worker_count: 2,
  network: { cidr: '10.0.10.0/24', gateway: '10.0.10.1', vip: '10.0.10.5' },
  drill: { bridge: 'vmbr9', address: '10.99.0.10', size: { ram: '2GiB' } },
}
const patches = { cluster: [], controlPlane: [], worker: [], pools: {}, nodes: {} }

test('one control plane with a name, a pool and an address of its own, without VIP, discovery and gateway', async () => {
  const { settings: own, machines } = drillInventory(await inventoryOf(settings))
  expect(own).toMatchObject({ cluster_name: 'dev-drill', proxmox: { pool: 'ichor-dev-drill' }, guests: [] })
  expect(own.network.vip).toBeUndefined()
  expect(own.talos.discovery).toBe(false)
  expect(machines).toHaveLength(1)
  expect(machines[0]).toMatchObject({
    name: 'dev-drill-1',
    role: 'controlplane',
    memory: 2 * 1024 ** 3,
    nics: [{ bridge: 'vmbr9', addresses: ['10.99.0.10/24'] }],
  })
  expect(machines[0]?.nics[0].gateway).toBeUndefined()
})

test.each([
  ['v1.13.9', /controllerManager:\n +disabled: true\n +scheduler:\n +disabled: true/],
  ['v1.14.0', /kind: KubeSchedulerConfig\nenabled: false/],
])('Talos %s starts neither scheduler nor controllers there, and registers no node', async (version, expected) => {
  const inventory = drillInventory(await inventoryOf({ ...settings, talos_version: version }))
  const spec = drillSpec({ inventory, patches, addons: [], intent: {}, until: 'healthy' }, inventory, [])
  const text = (spec.patches.nodes['dev-drill-1'] ?? []).map((patch) => patch.text).join('---\n')
  expect(text).toMatch(expected)
  expect(text).toContain('skipNodeRegistration: true')
})

test('without a bridge there is no drill on a machine', async () => {
  const { drill: _, ...without } = settings
  const inventory = await inventoryOf(without)
  expect(() => drillInventory(inventory)).toThrow('There is no bridge')
})

test('the secrets are those of the cluster under another id, and nothing is remembered outside of the run', async () => {
  const bundle = await generateBundle('v1.13')
  const secrets = drillSecrets({ bundle, memory: { bootstrapped: true, values: {} } })
  await secrets.remember({ bootstrapped: true })
  const own = await secrets.find()
  expect(own?.bundle).toEqual({ ...bundle, cluster: { ...bundle.cluster, id: own?.bundle.cluster.id } })
  expect(own?.bundle.cluster.id).not.toBe(bundle.cluster.id)
  expect(own?.memory.bootstrapped).toBe(true)
})
