import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aGuest, aHost, anInventory, someFacts } from '../../tests/support/inventories.js'
import { GiB } from '../cluster/machine.js'
import { loadInventory } from '../inventory/index.js'
import { capacityTable } from './capacity.js'
import type { Facts, Wanted } from './facts.js'
import { openHosts } from './host-capacity.js'

/** The capacity of each host before machines are placed. */
const hostCapacities = (wanted: Wanted, facts: Facts) => openHosts(wanted, facts).map((row) => row.close())

const example = (name: string) => loadInventory(join(import.meta.dirname, '../../examples', name), { env: {} })

test('hyperconverged keeps 18 vCPU and 32 GiB in reserve, and nothing can eat it', async () => {
  expect(capacityTable(await example('hyperconverged'))).toEqual([
    {
      name: 'prod-srv-01',
      reserve: { cpu: 18, memory: 32 * GiB },
      unseen: 0,
      cpu: { total: 36, used: 18, free: 18 },
      memory: { total: 88 * GiB, used: 56 * GiB, free: 32 * GiB },
      machines: ['talos-node-0', 'talos-node-1', 'talos-node-2'],
      guests: ['truenas'],
    },
  ])
})

test('enterprise interleaves its workers over hosts of different size', async () => {
  const rows = capacityTable(await example('enterprise'))
  expect(rows.map(({ name, machines }) => [name, machines])).toEqual([
    ['pve-a', ['platform-cp-1', 'platform-wk-1', 'platform-wk-4', 'platform-wk-6']],
    ['pve-b', ['platform-cp-2', 'platform-wk-2', 'platform-wk-5']],
    ['pve-c', ['platform-cp-3', 'platform-wk-3']],
  ])
})

test('without pve_capacity the inventory alone knows what is used, and not what is there', async () => {
  const [row] = capacityTable(await anInventory({ workers: 1 }))
  expect(row).toMatchObject({ name: 'pve1', cpu: { used: 8 }, memory: { used: 16 * GiB } })
  expect(row?.cpu.total).toBeUndefined()
})

test('of what the inventory does not say there is enough: storages, devices, threads', async () => {
  const guest = {
    name: 'nas',
    host: 'pve1',
    cpu: 6,
    ram: '32G',
    disk: '32G',
    datastore: 'tank',
    devices: ['hba'],
    create: true,
  }
  const [row] = capacityTable(await anInventory({ with: { guests: [guest] } }))
  expect(row?.guests).toEqual(['nas'])
})

test('four vCPUs a thread, and of the memory what running and onboot guests and the host itself leave', async () => {
  const facts = someFacts(
    [aHost('pve1')],
    [
      aGuest(101, 'pve1'),
      aGuest(102, 'pve1', { running: false, onboot: true }),
      aGuest(103, 'pve1', { running: false, onboot: false }),
      aGuest(104, 'elsewhere'),
    ],
  )
  expect(hostCapacities(await anInventory(), facts)).toMatchObject([
    { cpu: { total: 64, used: 4, free: 60 }, memory: { total: 62 * GiB, used: 8 * GiB, free: 54 * GiB } },
  ])
})

test('under pve_capacity others do not count: the inventory has what it was promised, as far as it is there', async () => {
  const promised = (ram: string) => anInventory({ with: { pve_capacity: { pve1: { cpu: 8, ram } } } })
  const facts = someFacts([aHost('pve1')], [aGuest(101, 'pve1')])
  expect(hostCapacities(await promised('16G'), facts)).toMatchObject([
    { cpu: { total: 8, free: 8 }, memory: { total: 16 * GiB, free: 16 * GiB } },
  ])
  expect(hostCapacities(await promised('500G'), facts)).toMatchObject([{ memory: { total: 64 * GiB } }])
})

test('a guest of the inventory that already runs is counted once, whatever it is called', async () => {
  const guest = { name: 'nas', host: 'pve1', vmid: 120, cpu: 6, ram: '32G' }
  const wanted = await anInventory({ with: { guests: [guest] } })
  const running = aGuest(120, 'pve1', { name: 'renamed', cpus: 6, memory: 32 * GiB })
  expect(hostCapacities(wanted, someFacts([aHost('pve1')], [running]))).toMatchObject([
    { cpu: { used: 6 }, memory: { used: 32 * GiB }, guests: ['nas'] },
  ])
})

test('a guest of the inventory that was enlarged by hand takes what it has', async () => {
  const guest = { name: 'nas', host: 'pve1', vmid: 120, cpu: 6, ram: '32G' }
  const enlarged = someFacts([aHost('pve1')], [aGuest(120, 'pve1', { cpus: 8, memory: 40 * GiB })])
  const used = [{ cpu: { used: 8 }, memory: { used: 40 * GiB } }]
  expect(hostCapacities(await anInventory({ with: { guests: [guest] } }), enlarged)).toMatchObject(used)
  const promised = { guests: [guest], pve_capacity: { pve1: { cpu: 16, ram: '60G' } } }
  expect(hostCapacities(await anInventory({ with: promised }), enlarged)).toMatchObject(used)
})
