import { expect, test } from 'vitest'
import { inventoryOf } from '../../tests/support/inventories.js'
import { GiB } from '../cluster/machine.js'

const network = { cidr: '10.0.10.0/24', gateway: '10.0.10.1' }

async function machinesOf(data: Record<string, unknown>) {
  return (await inventoryOf({ cluster_name: 'dev', network, ...data })).machines
}

test('names come first, and the count is filled up with names that are free', async () => {
  const machines = await machinesOf({ worker_count: 4, workers: [{ name: 'old' }, { name: 'dev-wk-3' }] })
  expect(machines.map(({ name, index }) => [name, index])).toEqual([
    ['dev-cp-1', 0],
    ['old', 0],
    ['dev-wk-3', 1],
    ['dev-wk-4', 2],
    ['dev-wk-5', 3],
  ])
})

test('ha_enabled without a count means three control planes', async () => {
  const machines = await machinesOf({ ha_enabled: true })
  expect(machines.map(({ nics }) => nics[0].addresses)).toEqual([
    ['10.0.10.10/24'],
    ['10.0.10.11/24'],
    ['10.0.10.12/24'],
  ])
})

test('a pool has its own sizes, labels, taints, extensions and devices; its nodes may add to them', async () => {
  const pool = {
    name: 'gpu',
    count: 2,
    sizing: { cpu: 16, ram: '64G', disks: ['200G'] },
    labels: { tier: 'gpu' },
    taints: ['gpu=true:NoSchedule'],
    extensions: ['nonfree-kmod-nvidia'],
    devices: ['l40'],
  }
  const machines = await machinesOf({
    sizing: { worker: { disk: '80G' } },
    worker_pools: [pool],
    workers: [{ name: 'big', pool: 'gpu', ram: '128G', labels: { size: 1 } }],
  })
  expect(machines.slice(1)).toMatchObject([
    { name: 'big', pool: 'gpu', memory: 128 * GiB, labels: { tier: 'gpu', size: '1' } },
    {
      name: 'dev-gpu-2',
      cpu: 16,
      memory: 64 * GiB,
      disk: 80 * GiB,
      disks: [{ size: 200 * GiB }],
      taints: [{ key: 'gpu', value: 'true', effect: 'NoSchedule' }],
      extensions: ['siderolabs/nonfree-kmod-nvidia', 'siderolabs/qemu-guest-agent'],
      devices: [{ mapping: 'l40', pcie: true }],
      nics: [{ addresses: ['10.0.10.21/24'] }],
    },
  ])
})

test('identities come from cluster and node name, and those of adopted machines from the inventory', async () => {
  const [derived] = await machinesOf({ controlplane: [{ name: 'dev-cp-1' }] })
  expect(derived?.identity).toEqual({
    name: 'dev-cp-1',
    uuid: 'b80c72ea-4c55-8b7f-8ccd-f027daafa86a',
    mac: '02:CA:F5:11:7F:D0',
  })
  const uuid = 'B80C72EA-0000-4000-8000-F027DAAFA86A'
  const [adopted] = await machinesOf({ controlplane: [{ name: 'cp', vmid: 110, mac: 'bc:24:11:00:00:01', uuid }] })
  expect(adopted).toMatchObject({ vmid: 110, identity: { uuid: uuid.toLowerCase(), mac: 'BC:24:11:00:00:01' } })
  expect(adopted?.nics[0].mac).toBe('BC:24:11:00:00:01')
})

test('further NICs count their addresses in their own network and have MACs of their own', async () => {
  const nics = [
    { bridge: 'vmbr1', vlan_id: 7, cidr: '10.9.0.0/24' },
    { bridge: 'vmbr2', mode: 'dhcp' },
  ]
  const machines = await machinesOf({ network: { ...network, nics }, worker_count: 1 })
  expect(machines[1]?.nics.slice(1)).toMatchObject([
    { bridge: 'vmbr1', vlan: 7, addresses: ['10.9.0.20/24'], dhcp: false },
    { bridge: 'vmbr2', addresses: [], dhcp: true },
  ])
  expect(new Set(machines.flatMap(({ nics: all }) => all.map(({ mac }) => mac))).size).toBe(6)
})

test('dual stack: an IPv6 address beside the IPv4 one, by the same offset', async () => {
  const [machine] = await machinesOf({ network: { ...network, ipv6: { cidr: 'fd00:1::/64' } } })
  expect(machine?.nics[0].addresses).toEqual(['10.0.10.10/24', 'fd00:1::a/64'])
})

test('a pool is protected as a whole, by the list or by itself; a named worker may be an exception', async () => {
  const pools = [
    { name: 'storage', count: 2, offset: 30 },
    { name: 'web', count: 1, offset: 40, protect: true },
    { name: 'batch', count: 1, offset: 50 },
  ]
  const workers = [{ name: 'spare', pool: 'storage', protect: false }]
  const machines = await machinesOf({ worker_pools: pools, workers, protect: ['storage', 'control_plane'] })
  const kept = machines.filter(({ isProtected }) => isProtected).map(({ name }) => name)
  expect(kept).toEqual(['dev-cp-1', 'dev-storage-2', 'dev-web-1'])
})

test('pins and protection reach the machines that they name', async () => {
  const machines = await machinesOf({
    worker_count: 2,
    placement: { pinned: { 'dev-wk-1': 'pve2' } },
    protect: ['dev-wk-2'],
  })
  expect(machines.map(({ host, isProtected }) => [host, isProtected])).toEqual([
    [undefined, false],
    ['pve2', false],
    [undefined, true],
  ])
})
