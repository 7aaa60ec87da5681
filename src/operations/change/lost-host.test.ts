import { expect, test } from 'vitest'
import { anInventory } from '../../../tests/support/inventories.js'
import { aWorld } from '../../../tests/support/worlds.js'
import { seen } from '../../cluster/seen.js'
import type { NodeInfo } from '../../kubernetes/port.js'
import type { Observed } from '../../observe/observed.js'
import { filesOf, lostHost } from './lost-host.js'

const inventory = await anInventory({ controlPlanes: 3, workers: 1, hosts: ['pve1', 'pve2', 'pve3'] })
const world = aWorld(['pve1', 'pve2', 'pve3'])

/** pve2 is off, and dev-cp-2 was there; `ready`: whether Kubernetes still reports its node. */
function withoutPve2(ready: boolean): Observed {
  const uuid = inventory.machines.find(({ name }) => name === 'dev-cp-2')?.identity.uuid ?? ''
  const node: NodeInfo = {
    name: 'dev-cp-2',
    systemUuid: uuid,
    ready,
    unschedulable: false,
    kubeletVersion: 'v1.36.3',
    internalAddresses: [],
    labels: {},
    taints: [],
    annotations: {},
  }
  return {
    ...world,
    proxmox: {
      ...world.proxmox,
      hosts: world.proxmox.hosts.map((host) => (host.name === 'pve2' ? { ...host, online: false } : host)),
    },
    unverified: [{ host: 'pve2', vmid: 2001, because: 'away', holds: 'dev-cp-2', text: '' }],
    kubernetes: seen({ version: 'v1.36.3', nodes: [node], addons: [] }),
  }
}

test('what a lost host had, and the files that root must remove', () => {
  const lost = lostHost('pve2', inventory, withoutPve2(false))
  expect(lost).toMatchObject({ machines: ['dev-cp-2'], vmids: [2001] })
  expect(lost.addresses).toHaveLength(1)
  expect(filesOf(lost)).toEqual(['/etc/pve/nodes/pve2/qemu-server/2001.conf'])
})

test('data disks of its machines are listed as the inventory has them', async () => {
  const disks = [{ size: '200G', volume: 'longhorn' }, '100G']
  const sizing = { control_plane: { disks } }
  const large = await anInventory({ controlPlanes: 3, hosts: ['pve1', 'pve2', 'pve3'], with: { sizing } })
  expect(lostHost('pve2', large, withoutPve2(false)).disks).toEqual([
    'disk scsi1 longhorn (200 GiB) of dev-cp-2',
    'disk scsi2 (100 GiB) of dev-cp-2',
  ])
})

test('refused while the host answers, or Kubernetes hears a node of it', () => {
  expect(() => lostHost('pve1', inventory, withoutPve2(false))).toThrow('pve1 responds: it is not lost.')
  expect(() => lostHost('pve2', inventory, withoutPve2(true))).toThrow('pve2 is not lost: node dev-cp-2 is Ready.')
  expect(() => lostHost('pve7', inventory, withoutPve2(false))).toThrow('There is no host pve7 in Proxmox.')
})
