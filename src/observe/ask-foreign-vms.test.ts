import { expect, test } from 'vitest'
import { aForeignVm } from '../../tests/support/worlds.js'
import type { World } from '../world.js'
import { askForeignVms } from './ask-foreign-vms.js'

/** VMs with these options; their agents all tell the same address. */
function worldOf(options: Readonly<Record<number, Readonly<Record<string, string>>>>): World {
  const findOptions = async ({ vmid }: { vmid: number }) => ({ options: options[vmid] ?? {}, pending: [] })
  const findAddresses = async () => [{ name: 'eth0', addresses: ['10.0.0.7', 'fd00::7'] }]
  return { proxmox: { machines: { findOptions }, agent: { findAddresses } } } as unknown as World
}

test('VMs of others tell their addresses by cloud-init and by their agents, and whether they start with their host', async () => {
  const off = { ...aForeignVm(101, 'pve1', 'web'), status: 'stopped' as const }
  const world = worldOf({
    101: { onboot: '1', agent: '1', ipconfig0: 'ip=10.0.0.5/24,gw=10.0.0.1,ip6=fd00::5/64', ipconfig1: 'ip=dhcp' },
    102: { agent: 'enabled=1,type=virtio' },
    103: {},
  })
  const foreignVms = [aForeignVm(102, 'pve2', 'db'), aForeignVm(103, 'pve2'), off]
  expect(await askForeignVms(foreignVms, world, AbortSignal.timeout(1000))).toEqual({
    onboot: [101],
    addresses: [
      { address: '10.0.0.5', owner: 'VM 101 (web) on pve1' },
      { address: 'fd00::5', owner: 'VM 101 (web) on pve1' },
      { address: '10.0.0.7', owner: 'VM 102 (db) on pve2' },
      { address: 'fd00::7', owner: 'VM 102 (db) on pve2' },
    ],
  })
})
