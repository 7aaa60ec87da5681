import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GiB } from '../cluster/machine.js'
import { examine } from './examine.js'
import { checkInventory, type Inventory, loadInventories, loadInventory } from './index.js'

const examples = join(import.meta.dirname, '../../examples')
const load = (name: string): Promise<Inventory> => loadInventory(join(examples, name), { env: {} })
const addresses = ({ machines }: Inventory) => machines.map(({ name, address }) => [name, address])

test('no example gives cause for complaint, not even a warning', async () => {
  expect(await checkInventory(examples)).toEqual([])
})

test('the folder of examples is a folder of environments', async () => {
  const inventories = await loadInventories([examples], { env: {} })
  expect(inventories.map(({ settings }) => settings.cluster_name)).toEqual([
    'dev',
    'platform',
    'fluodata',
    'homelab',
    'prod',
  ])
})

test('hyperconverged: three control planes at .51 to .53 and the appliance, which is made once', async () => {
  const inventory = await load('hyperconverged')
  expect(addresses(inventory)).toEqual([
    ['talos-node-0', '192.168.10.51'],
    ['talos-node-1', '192.168.10.52'],
    ['talos-node-2', '192.168.10.53'],
  ])
  expect(inventory.guests).toMatchObject([
    {
      name: 'truenas',
      cpu: 6,
      memory: 32 * GiB,
      address: '192.168.10.20',
      create: true,
      devices: [{ mapping: 'hba' }],
    },
  ])
  expect(inventory.settings.kubernetes.schedule_on_control_planes).toBe(true)
})

test('em-infra: fixed MACs, config by ISO, no guest agent', async () => {
  const { machines, settings } = await load('em-infra')
  expect(machines.map(({ identity }) => identity.mac)).toEqual(['BC:24:11:0A:00:0B', 'BC:24:11:0A:00:15'])
  expect(settings).toMatchObject({ talos: { boot: 'template', delivery: 'cidata' }, network: { agent: false } })
  expect(machines[0]?.extensions).toEqual([])
})

test('enterprise: counted machines, DHCP with the agent, so configs are applied', async () => {
  const { machines, settings } = await load('enterprise')
  expect(machines.map(({ name }) => name)).toEqual([
    ...[1, 2, 3].map((number) => `platform-cp-${number}`),
    ...[1, 2, 3, 4, 5, 6].map((number) => `platform-wk-${number}`),
  ])
  expect(settings.talos.delivery).toBe('apply')
  expect(settings.vm_ids).toMatchObject({ control_plane: { from: 401 }, worker: { from: 501 } })
  expect(machines[0]?.nics[0]).toMatchObject({ dhcp: true, vlan: 240, addresses: [] })
})

test('enterprise: the pinned variant in its comments is valid, too', async () => {
  const text = await readFile(join(examples, 'enterprise/cluster.yaml'), 'utf8')
  const pinned = text.replace(/^placement:\n( {2}.*\n)+/m, '').replaceAll(/^# (placement:| {2}.*)$/gm, '$1')
  const { problems, inventory } = await examine({ folder: examples, cluster: { file: 'cluster.yaml', text: pinned } })
  expect(problems).toEqual([])
  expect(inventory?.settings.placement.strategy).toBe('pin')
  expect(inventory?.machines.every(({ host }) => host !== undefined)).toBe(true)
})

test('production: addresses by offset, protected control planes, sizes of the two templates', async () => {
  const inventory = await load('production')
  expect(addresses(inventory).map(([, address]) => address)).toEqual([
    '10.20.0.10',
    '10.20.0.11',
    '10.20.0.12',
    '10.20.0.20',
    '10.20.0.21',
    '10.20.0.22',
  ])
  expect(inventory.machines.map(({ isProtected }) => isProtected)).toEqual([true, true, true, false, false, false])
  expect(inventory.machines[0]?.nics[0]).toMatchObject({ addresses: ['10.20.0.10/24'], gateway: '10.20.0.1' })
})

test('fluodata: leases by MAC, second disks for Longhorn, Cilium instead of flannel and kube-proxy', async () => {
  const inventory = await load('fluodata')
  expect(addresses(inventory)).toEqual([
    ['cp-0', '10.10.0.10'],
    ['worker-0', '10.10.0.20'],
    ['worker-1', '10.10.0.21'],
  ])
  expect(inventory.machines.map(({ vmid, disks }) => [vmid, disks])).toEqual([
    [110, []],
    [120, [{ size: 20 * GiB, volume: 'longhorn' }]],
    [121, [{ size: 20 * GiB, volume: 'longhorn' }]],
  ])
  expect(inventory.settings.kubernetes).toMatchObject({ cni: 'none', kube_proxy: false })
})
