import { expect, test } from 'vitest'
import type { StorageResource } from '../proxmox/client/port.js'
import type { AccessFacts } from './access-inventory.js'
import { compilePrivileges, type Need } from './compile-privileges.js'
import { addonIdentity, runIdentity } from './identities.js'
import { anAccessInventory } from './testing.js'

const storage = (host: string, name: string, ...content: string[]): StorageResource => ({
  host,
  storage: name,
  type: 'dir',
  shared: false,
  available: true,
  content,
  total: 1,
  used: 0,
})
const facts = (major: number): AccessFacts => ({
  version: { major },
  hosts: ['pve1'],
  storages: [
    storage('pve1', 'zfs', 'images'),
    storage('pve1', 'local', 'iso', 'import'),
    storage('pve2', 'other', 'images'),
  ],
})
const granted = (needs: readonly Need[]) => {
  const byPath = new Map<string, Set<string>>()
  for (const { ways } of needs) {
    const { path, privileges } = ways[0]
    byPath.set(path, new Set([...(byPath.get(path) ?? []), ...privileges]))
  }
  return new Map([...byPath].map(([path, privileges]) => [path, [...privileges].sort()]))
}

test('a plain inventory needs its pool, its storages, its bridge, and to look at the rest: this and no more', () => {
  const media = ['Datastore.Allocate', 'Datastore.AllocateTemplate', 'Datastore.Audit']
  expect(Object.fromEntries(granted(compilePrivileges(anAccessInventory(), facts(9))))).toEqual({
    '/': ['Sys.Audit'],
    '/nodes/pve1': ['Sys.AccessNetwork', 'Sys.Audit'],
    '/pool/ichor-dev': [
      'Pool.Allocate',
      'Pool.Audit',
      'VM.Allocate',
      'VM.Audit',
      'VM.Config.CPU',
      'VM.Config.Disk',
      'VM.Config.HWType',
      'VM.Config.Memory',
      'VM.Config.Network',
      'VM.Config.Options',
      'VM.GuestAgent.Audit',
      'VM.PowerMgmt',
    ],
    '/sdn/zones/localnetwork/vmbr0': ['SDN.Use'],
    '/storage/local': media,
    '/storage/zfs': ['Datastore.AllocateSpace', 'Datastore.Audit'],
  })
})

test.each([
  [8, 'VM.Monitor', 'VM.GuestAgent.Audit'],
  [9, 'VM.GuestAgent.Audit', 'VM.Monitor'],
])('Proxmox %i lets guest agents be asked with %s and does not know %s', (major, has, lacks) => {
  const inventory = anAccessInventory()
  const pool = granted(compilePrivileges(inventory, facts(major))).get('/pool/ichor-dev')
  expect(pool).toContain(has)
  expect(pool).not.toContain(lacks)
})

test.each([
  {
    what: 'templates',
    settings: { talos: { boot: 'template', delivery: 'cidata' } },
    path: '/pool/ichor-dev',
    privilege: 'VM.Clone',
  },
  {
    what: 'a CPU model',
    settings: { vm: { cpu_type: 'custom-mine' } },
    path: '/mapping/cpu/mine',
    privilege: 'Mapping.Use',
  },
  {
    what: 'named storages',
    settings: { proxmox: { pool: 'p', bridge: 'vmbr0', target_nodes: [], datastore: 'ceph' } },
    path: '/storage/ceph',
    privilege: 'Datastore.AllocateSpace',
  },
] as const)('$what cost $privilege on $path, and only then', ({ settings, path, privilege }) => {
  expect(granted(compilePrivileges(anAccessInventory({ settings }), facts(9))).get(path)).toContain(privilege)
  expect(granted(compilePrivileges(anAccessInventory(), facts(9))).get(path) ?? []).not.toContain(privilege)
})

test.each([
  { what: 'an order at host start', settings: { vm: { cpu_type: 'host', startup: 'order=1' } } },
  { what: 'backups of machines', settings: { backup: { machines: { datastore: 'pbs' } } } },
  { what: 'rules on VMs', settings: { firewall: { enabled: true, proxmox: true } } },
  { what: 'the firewall of the datacenter', settings: { firewall: { enabled: true, proxmox: true, hosts: true } } },
])('$what cost the token nothing: an administrator writes that', ({ settings }) => {
  const rights = (one: ReturnType<typeof anAccessInventory>) => granted(compilePrivileges(one, facts(9)))
  expect(rights(anAccessInventory({ settings }))).toEqual(rights(anAccessInventory()))
})

test('config media go where images can be imported, and so do the rights for them', () => {
  const split: AccessFacts = {
    version: { major: 9 },
    hosts: ['pve1', 'pve2'],
    storages: [
      storage('pve1', 'zfs', 'images'),
      storage('pve1', 'media', 'iso'),
      storage('pve1', 'nfs', 'import'),
      storage('pve2', 'media', 'iso'),
    ],
  }
  const inventory = anAccessInventory({ settings: { talos: { boot: 'iso', delivery: 'cidata' } } })
  const seeds = compilePrivileges(inventory, split).filter(({ work }) => work === 'upload and delete config media')
  expect(seeds.map(({ ways }) => ways[0].path)).toEqual(['/storage/nfs'])
})

test.each([
  { because: 'Talos boots from an ISO', boot: 'iso', content: ['iso', 'import'], drives: true },
  { because: 'its storage takes ISOs only', boot: 'image', content: ['iso'], drives: true },
  { because: 'its storage imports disks', boot: 'image', content: ['iso', 'import'], drives: false },
] as const)('machines get a CD drive: $drives, because $because', ({ boot, content, drives }) => {
  const inventory = anAccessInventory({ settings: { talos: { boot, delivery: 'cidata' } } })
  const needs = compilePrivileges(inventory, { ...facts(9), storages: [storage('pve1', 'media', ...content)] })
  expect(granted(needs).get('/pool/ichor-dev')?.includes('VM.Config.CDROM')).toBe(drives)
})

test('devices, further bridges and further disks are granted by name', () => {
  const nic = { mac: '', bridge: 'vmbr1', addresses: [], dhcp: false }
  const machines = [
    { nics: [nic], devices: [{ mapping: 'gpu', pcie: true }], disks: [{ size: 1, datastore: 'slow' }] },
  ] as const
  const paths = granted(compilePrivileges(anAccessInventory({ machines }), facts(9)))
  expect([...paths.keys()]).toEqual(
    expect.arrayContaining(['/mapping/pci/gpu', '/sdn/zones/localnetwork/vmbr1', '/storage/slow']),
  )
})

test('roles hold what their path needs, and nothing is granted to everything below the root', () => {
  const inventory = anAccessInventory()
  const identity = runIdentity(inventory, compilePrivileges(inventory, facts(9)))
  expect(identity).toMatchObject({ user: 'ichor-dev@pve', pools: ['ichor-dev'] })
  expect(identity.acl.find(({ path }) => path === '/')?.propagate).toBe(false)
  for (const { role } of identity.acl) expect(identity.roles.some(({ id }) => id === role)).toBe(true)
  for (const { id } of identity.roles) expect(id).toMatch(/^ichor-dev-[a-z]+-\d+$/)
})

test('a controller gets its privileges where they apply', () => {
  const csi = {
    addon: 'proxmox_csi',
    name: 'csi',
    privileges: ['VM.Audit', 'VM.Config.Disk', 'Datastore.Allocate'],
    storages: ['zfs'],
  }
  const identity = addonIdentity(anAccessInventory(), csi, 9)
  expect(identity.user).toBe('dev-csi@pve')
  expect(identity.acl.map(({ path }) => path)).toEqual(['/pool/ichor-dev', '/storage/zfs'])
  const ccm = {
    addon: 'proxmox_ccm',
    name: 'ccm',
    privileges: ['VM.Audit', 'Sys.Audit'],
    newerPrivileges: [{ from: 9, privilege: 'VM.GuestAgent.Audit' }],
    storages: [],
  }
  const role = (major: number) => addonIdentity(anAccessInventory(), ccm, major).roles[0]?.privileges
  expect(role(8)).toEqual(['VM.Audit'])
  expect(role(9)).toEqual(['VM.Audit', 'VM.GuestAgent.Audit'])
})

test.each([
  { because: 'one host of one', target_nodes: [], hosts: ['pve1'], moves: false },
  { because: 'all of three hosts', target_nodes: [], hosts: ['pve1', 'pve2', 'pve3'], moves: true },
  { because: 'one host of three', target_nodes: ['pve1'], hosts: ['pve1', 'pve2', 'pve3'], moves: false },
  { because: 'two hosts of three', target_nodes: ['pve1', 'pve2'], hosts: ['pve1', 'pve2', 'pve3'], moves: true },
])(
  'machines on $because may be moved: $moves, whatever the inventory evacuates now',
  ({ target_nodes, hosts, moves }) => {
    const inventory = anAccessInventory({ settings: { proxmox: { pool: 'ichor-dev', bridge: 'vmbr0', target_nodes } } })
    const needs = compilePrivileges(inventory, { version: { major: 9 }, storages: [], hosts })
    expect(needs.flatMap(({ ways: [first] }) => first.privileges).includes('VM.Migrate')).toBe(moves)
  },
)
