import { addressAt, parseNetwork } from '../cluster/address.js'
import type { Machine } from '../cluster/machine.js'
import { GiB } from '../cluster/machine.js'
import type { Inventory } from '../inventory/inventory.js'
import type { Settings } from '../inventory/schema.js'
import type { DhcpScope, SimForeignGuest, SimHost, SimStorage, Topology } from '../simulator/index.js'
import { filesFor } from './files-for.js'

const defaultHosts = 3

/** A datacenter that fits an inventory: hosts, storages, bridges, capacity, leases and PCI mappings. */
export function topologyFor(inventory: Inventory, { hosts }: { hosts?: number } = {}): Topology {
  const names = hostNames(inventory, hosts ?? defaultHosts)
  const network = networkOf(inventory)
  return {
    hosts: names.map((name, i) => hostFor(inventory, name, names.length, network, network.hostAddress(i))),
    storages: storagesFor(inventory),
    pciMappings: mappingsFor(inventory, names),
    dhcp: scopesFor(inventory, network),
    ...operatorOf(inventory),
    guests: guestsFor(inventory),
    files: filesFor(inventory),
    registries: registriesFor(inventory),
  }
}

/** A datacenter without an inventory. */
export function plainTopology(count: number): Topology {
  const { cidr, prefix, address } = plainNet(count)
  return {
    hosts: Array.from({ length: count }, (_, i) => ({
      name: `pve${i + 1}`,
      address: address(i),
      cpus: 32,
      memory: 128 * GiB,
      bridges: [{ name: 'vmbr0', cidr: `${address(i)}/${prefix}`, gateway: '10.0.10.1', vlanAware: true }],
    })),
    storages: [localStorage([]), diskStorage('local-lvm')],
    pciMappings: [],
    dhcp: [{ bridge: 'vmbr0', cidr, gateway: '10.0.10.1', dns: ['10.0.10.1'], reservations: [], poolOffset: 100 }],
    guests: [],
  }
}

/** Small labs use the network of the examples; large ones need a wider one. */
function plainNet(count: number): { cidr: string; prefix: number; address(i: number): string } {
  if (count <= 50) return { cidr: '10.0.10.0/24', prefix: 24, address: (i) => `10.0.10.${200 + i}` }
  const address = (i: number) => `10.0.${200 + Math.floor(i / 250)}.${1 + (i % 250)}`
  return { cidr: '10.0.0.0/16', prefix: 16, address }
}

interface LabNet {
  readonly cidr: string
  readonly prefix: string
  readonly gateway: string
  hostAddress(i: number): string
}

function hostNames({ settings, machines, guests }: Inventory, count: number): string[] {
  const named = [
    ...settings.proxmox.target_nodes,
    ...Object.keys(settings.pve_capacity ?? {}),
    ...machines.flatMap(({ host }) => host ?? []),
    ...guests.map(({ host }) => host),
  ]
  return named.length > 0 ? [...new Set(named)] : Array.from({ length: count }, (_, i) => `pve${i + 1}`)
}

/** The network of the first NICs; addresses without a prefix get a network of 254 around them. */
function networkOf({ settings, machines }: Inventory): LabNet {
  const first = machines.flatMap(({ nics, address }) => [
    ...nics[0].addresses,
    ...(address === undefined ? [] : [address]),
  ])
  const four = first.find((address) => address.includes('.'))
  const cidr = settings.network.cidr ?? (four === undefined ? '10.0.10.0/24' : aroundOf(four))
  const [base = '10.0.10.0', prefix = '24'] = cidr.split('/')
  const size = 2 ** (32 - Number(prefix))
  const start = Math.floor(toNumber(base) / size) * size
  const taken = new Set(first.map((address) => address.split('/')[0]))
  const free = Array.from({ length: Math.min(size - 3, 1000) }, (_, i) => toAddress(start + size - 2 - i)).filter(
    (address) => !taken.has(address),
  )
  const gateway = settings.network.gateway ?? toAddress(start + 1)
  const usable = free.filter((address) => address !== gateway && address !== settings.network.vip)
  return { cidr, prefix, gateway, hostAddress: (i) => usable[i] ?? toAddress(start + size - 2 - i) }
}

/** For an inventory with a firewall, the user's address is one that it allows. */
function operatorOf({ settings: { firewall } }: Inventory): Pick<Topology, 'operator'> {
  const network = parseNetwork(firewall.admin_networks[0] ?? '')
  const operator = network && (addressAt(network, 9) ?? addressAt(network, 0))
  return operator === undefined ? {} : { operator }
}

function aroundOf(address: string): string {
  const [plain = '', prefix] = address.split('/')
  return `${plain}/${prefix ?? '24'}`
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}

/** With `pve_capacity` the hosts have that size; otherwise all machines fit twice, so that one host may fail. */
function hostFor(
  { settings, machines, guests }: Inventory,
  name: string,
  count: number,
  network: LabNet,
  address: string,
): SimHost {
  const allowed = settings.pve_capacity?.[name]
  const wanted = [...machines, ...guests]
  const memory = wanted.reduce((sum, machine) => sum + machine.memory, 0)
  const cpus = wanted.reduce((sum, machine) => sum + machine.cpu, 0)
  const share = Math.max(1, count - 1)
  const bridges = [
    ...new Set([settings.proxmox.bridge, ...machines.flatMap(({ nics }) => nics.map(({ bridge }) => bridge))]),
  ]
  return {
    name,
    address,
    cpus: Math.max(16, allowed?.cpu ?? Math.ceil(cpus / share)),
    memory: Math.max(32 * GiB, (allowed?.ram ?? Math.ceil(memory / share) * 2) + 8 * GiB),
    bridges: [
      ...bridges.map((bridge) => ({
        name: bridge,
        vlanAware: true,
        ...(bridge === settings.proxmox.bridge
          ? { cidr: `${address}/${network.prefix}`, gateway: network.gateway }
          : {}),
      })),
      ...drillBridge(settings, bridges),
    ],
  }
}

/** The machine of a drill is on a separate bridge. */
function drillBridge({ drill }: Settings, others: readonly string[]): SimHost['bridges'] {
  if (drill.bridge === undefined || others.includes(drill.bridge)) return []
  return [{ name: drill.bridge, vlanAware: true, isolated: true }]
}

/** The mirror of a drill is on its bridge. */
function registriesFor({ settings: { drill } }: Inventory): NonNullable<Topology['registries']> {
  if (drill.bridge === undefined || drill.mirror === undefined) return []
  return [{ bridge: drill.bridge, address: new URL(drill.mirror).host }]
}

function localStorage(more: readonly string[]): SimStorage {
  return {
    id: 'local',
    type: 'dir',
    content: ['iso', 'vztmpl', 'backup', 'import', 'snippets', ...more],
    shared: false,
    total: 500 * GiB,
  }
}

function diskStorage(id: string): SimStorage {
  return { id, type: 'lvmthin', content: ['images', 'rootdir'], shared: false, total: 4000 * GiB }
}

function storagesFor({ settings, machines }: Inventory): SimStorage[] {
  const { datastore, template_datastore, image_datastore, seed_datastore } = settings.proxmox
  const created = settings.guests.filter(({ create }) => create)
  const disks = new Set(
    [
      datastore ?? 'local-lvm',
      template_datastore,
      ...machines.flatMap(({ disks: extra }) => extra.map((disk) => disk.datastore)),
      ...created.flatMap((guest) => [guest.datastore, ...(guest.disks ?? []).map((disk) => disk.datastore)]),
    ].filter((id) => id !== undefined),
  )
  const named = filesFor({ settings }).map(({ volid }) => volid.split(':')[0])
  const files = new Set(
    [image_datastore, seed_datastore, settings.backup.machines?.datastore, ...named]
      .filter((id) => id !== undefined)
      .filter((id) => id !== 'local'),
  )
  return [
    localStorage(disks.has('local') ? ['images', 'rootdir'] : []),
    ...[...disks].filter((id) => id !== 'local' && !files.has(id)).map((id) => withReach(diskStorage(id))),
    ...[...files].map((id) => withReach({ ...localStorage(disks.has(id) ? ['images'] : []), id })),
  ]
}

/** Guessed from the name: `ceph-vms` and `nas-images` are shared, `local-lvm` is local. */
function withReach(storage: SimStorage): SimStorage {
  if (storage.id.startsWith('local')) return storage
  return { ...storage, shared: true, type: storage.type === 'dir' ? 'nfs' : 'rbd' }
}

function mappingsFor({ machines, guests }: Inventory, hosts: readonly string[]): Topology['pciMappings'] {
  const ids = [...new Set([...machines, ...guests].flatMap(({ devices }) => devices.map(({ mapping }) => mapping)))]
  return ids.flatMap((id, i) =>
    hosts.map((host) => ({ id, host, path: `0000:${(i + 1).toString(16).padStart(2, '0')}:00.0` })),
  )
}

function scopesFor({ settings, machines }: Inventory, network: LabNet): DhcpScope[] {
  const bridges = [
    ...new Set([settings.proxmox.bridge, ...machines.flatMap(({ nics }) => nics.map(({ bridge }) => bridge))]),
  ]
  return bridges.map((bridge, i) => ({
    bridge,
    cidr: i === 0 ? network.cidr : `10.${200 + i}.0.0/24`,
    gateway: i === 0 ? network.gateway : `10.${200 + i}.0.1`,
    dns: settings.network.dns.length > 0 ? settings.network.dns : [network.gateway],
    reservations: i === 0 ? machines.flatMap(reservationOf) : [],
    poolOffset: 100,
  }))
}

function reservationOf({ name, nics, address }: Machine): DhcpScope['reservations'] {
  return nics[0].dhcp && address !== undefined ? [{ mac: nics[0].mac, address, hostname: name }] : []
}

/** Guests that the inventory only reserves space for exist already. */
function guestsFor({ guests }: Inventory): SimForeignGuest[] {
  return guests
    .filter(({ create }) => !create)
    .map(({ name, cpu, memory, disk, host, vmid }, i) => ({
      vmid: vmid ?? 9000 + i,
      name,
      host,
      cpus: cpu,
      memory,
      disk,
      running: true,
    }))
}
