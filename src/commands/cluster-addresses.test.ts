import { expect, test } from 'vitest'
import { fake } from '../../tests/support/fake.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Observed } from '../observe/observed.js'
import { clusterAddresses } from './cluster-addresses.js'

const aCluster = (machines: readonly Partial<Inventory['machines'][number]>[]) =>
  fake<Inventory>({ settings: { network: {} }, machines })
const seen = fake<Observed>({
  machines: [
    { name: 'cp-2', address: '10.0.0.102' },
    { name: 'cp-1', address: '10.0.0.101' },
  ],
})
const nobodyLooks = () => Promise.reject(new Error('nobody should look'))

test('what the inventory reports is not asked', async () => {
  const machines = [
    { name: 'cp-1', role: 'controlplane', address: '10.0.0.1' },
    { name: 'wk-1', role: 'worker' },
  ] as const
  const found = await clusterAddresses(aCluster(machines), nobodyLooks)
  expect(found).toEqual({ endpoint: 'https://10.0.0.1:6443', controlPlanes: ['10.0.0.1'] })
})

test('addresses that only DHCP knows are those that were seen, in the order of the inventory', async () => {
  const machines = ['cp-1', 'cp-2', 'cp-3'].map((name) => ({ name, role: 'controlplane' as const }))
  const found = await clusterAddresses(aCluster(machines), async () => seen)
  expect(found).toEqual({ endpoint: 'https://10.0.0.101:6443', controlPlanes: ['10.0.0.101', '10.0.0.102'] })
})
