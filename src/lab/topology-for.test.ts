import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadInventory } from '../inventory/index.js'
import { startLab } from '../simulator/index.js'
import { plainTopology, topologyFor } from './topology-for.js'

let folder = ''
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each([1, 3, 50, 51, 250])('each of %i hosts has an address of its own', (count) => {
  const { hosts } = plainTopology(count)
  expect(new Set(hosts.map(({ address }) => address)).size).toBe(count)
})

test('the ISO files that an inventory names lie on their storages', async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'))
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
talos_version: v1.13.9
control_plane_count: 1
worker_count: 0
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
proxmox: { datastore: local-lvm, target_nodes: [pve1, pve2] }
sizing: { control_plane: { cpu: 2, ram: 4GiB, disk: 20G } }
talos: { boot: iso, iso: local:iso/talos.iso }
guests:
  - { name: nas, cpu: 2, ram: 4GiB, disk: 20G, host: pve1, create: true, iso: nas-files:iso/truenas.iso }
`,
  )
  const lab = await startLab({ topology: topologyFor(await loadInventory(folder, { env: {} })), port: 0 })
  try {
    expect(Object.keys(lab.proxmox.save().state.volumes).sort()).toEqual([
      'pve1|local:iso/talos.iso',
      'pve2|local:iso/talos.iso',
      '|nas-files:iso/truenas.iso',
    ])
  } finally {
    await lab.close()
  }
})

test('storages of guests and of backups are there: a plan in a lab refuses names that no host has', async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-'))
  await writeFile(
    join(folder, 'cluster.yaml'),
    `cluster_name: dev
control_plane_count: 1
network: { cidr: 10.0.10.0/24, gateway: 10.0.10.254 }
guests:
  - { name: nas, cpu: 2, ram: 4GiB, disk: 20G, host: pve1, create: true, datastore: tank, disks: [{ size: 10G, datastore: slow }] }
  - { name: old, cpu: 2, ram: 4GiB, disk: 20G, host: pve1, datastore: elsewhere }
backup: { machines: { datastore: pbs, schedule: '0 3 * * *' } }
`,
  )
  const { storages = [] } = topologyFor(await loadInventory(folder, { env: {} }))
  expect(storages.filter(({ content }) => content.includes('images')).map(({ id }) => id)).toEqual([
    'local-lvm',
    'tank',
    'slow',
  ])
  expect(storages.filter(({ content }) => content.includes('backup')).map(({ id }) => id)).toEqual(['local', 'pbs'])
})
