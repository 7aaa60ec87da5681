import { expect, test } from 'vitest'
import { anInventory } from '../../tests/support/inventories.js'
import { hardwareOf } from '../../tests/support/marks.js'
import { aStub } from '../../tests/support/stub.js'
import { aForeignVm } from '../../tests/support/worlds.js'
import type { World } from '../world.js'
import { askForeignVms } from './ask-foreign-vms.js'

/** VMs with these options, whose guest agents all report the same address. */
function worldOf(options: Readonly<Record<number, Readonly<Record<string, string>>>>): World {
  return aStub<World>({
    proxmox: {
      machines: { findOptions: async ({ vmid }) => ({ options: options[vmid] ?? {}, pending: [], running: {} }) },
      agent: { findAddresses: async () => [{ name: 'eth0', addresses: ['10.0.0.7', 'fd00::7'] }] },
    },
  })
}

test('VMs of others have addresses from cloud-init and their agents, and may start with their host', async () => {
  const off = { ...aForeignVm(101, 'pve1', 'web'), status: 'stopped' as const }
  const world = worldOf({
    101: { onboot: '1', agent: '1', ipconfig0: 'ip=10.0.0.5/24,gw=10.0.0.1,ip6=fd00::5/64', ipconfig1: 'ip=dhcp' },
    102: { agent: 'enabled=1,type=virtio' },
    103: {},
  })
  const foreignVms = [aForeignVm(102, 'pve2', 'db'), aForeignVm(103, 'pve2'), off]
  expect(await askForeignVms(foreignVms, world, AbortSignal.timeout(1000))).toMatchObject({
    onboot: [101],
    addresses: [
      { address: '10.0.0.5', owner: 'VM 101 (web) on pve1' },
      { address: 'fd00::5', owner: 'VM 101 (web) on pve1' },
      { address: '10.0.0.7', owner: 'VM 102 (db) on pve2' },
      { address: 'fd00::7', owner: 'VM 102 (db) on pve2' },
    ],
  })
})

test('a foreign VM with the UUID or MAC of a wanted machine is noticed', async () => {
  const { machines } = await anInventory({ controlPlanes: 1 })
  const world = worldOf({ 101: hardwareOf('dev-cp-1'), 102: hardwareOf('dev-cp-2') })
  const guests = [aForeignVm(101, 'pve1', 'restored'), aForeignVm(102, 'pve1')]
  const { holders } = await askForeignVms(guests, world, AbortSignal.timeout(1000))
  expect(holders(machines)).toEqual([
    {
      host: 'pve1',
      vmid: 101,
      name: 'restored',
      because: 'mark-lost',
      holds: 'dev-cp-1',
      text: 'VM 101 on pve1 has the UUID or MAC of dev-cp-1 but is not in its pool.',
    },
  ])
})
