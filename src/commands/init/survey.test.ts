import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { inventoryOf } from '../../../tests/support/inventories.js'
import { inventoryText, templateAnswers } from './inventory-text.js'
import { proposedAnswers, type Site, withFreeAddresses } from './survey.js'

const GiB = 1024 ** 3
const site: Site = {
  hosts: ['pve1', 'pve2', 'pve3'].map((name) => ({ name, cpus: 16, memory: 64 * GiB })),
  storages: [{ name: 'ceph', free: 900 * GiB, hosts: 3 }],
  bridges: [{ name: 'vmbr1' }, { name: 'vmbr0', cidr: '192.168.7.2/24', gateway: '192.168.7.1' }],
}

test('what a site has becomes the inventory, and it is valid', async () => {
  const answers = proposedAnswers(site, 'prod', 'https://192.168.7.2:8006')
  const inventory = await inventoryOf(parse(inventoryText(answers)))
  expect(inventory.settings).toMatchObject({
    cluster_name: 'prod',
    control_plane_count: 3,
    proxmox: { target_nodes: ['pve1', 'pve2', 'pve3'], datastore: 'ceph', bridge: 'vmbr0' },
    network: { cidr: '192.168.7.0/24', gateway: '192.168.7.1', vip: '192.168.7.5' },
  })
})

test('the template is valid as it stands', async () => {
  expect((await inventoryOf(parse(inventoryText(templateAnswers)))).machines).toHaveLength(5)
})

test('taken addresses are skipped', () => {
  const answers = proposedAnswers(site, 'prod', 'https://192.168.7.2:8006')
  const taken = new Set(['192.168.7.5', '192.168.7.11', '192.168.7.20'])
  expect(withFreeAddresses(answers, taken)).toMatchObject({
    vip: '192.168.7.6',
    controlPlaneOffset: 12,
    workerOffset: 21,
  })
})
