import { randomBytes } from 'node:crypto'
import { encodeMedium } from '../core/medium.js'
import type { SimFile, Topology } from '../core/topology.js'
import type { Random } from './random.js'
import { type DatacenterState, type HostState, type StorageState, type VmState, volumeKey } from './state.js'
import { emptyVm } from './vm/create.js'

export interface Credentials {
  readonly tokenId: string
  readonly tokenSecret: string
  readonly rootPassword: string
}

/** The initial datacenter. */
export function initialState(
  topology: Topology,
  random: Random,
  now: number,
  credentials: Credentials,
): DatacenterState {
  const storages = topology.storages.map(storageFrom)
  const state: DatacenterState = {
    clusterName: 'lab',
    quorate: true,
    ...(topology.quorumDevice === true ? { quorumDevice: true } : {}),
    hosts: Object.fromEntries(topology.hosts.map((host, i) => [host.name, hostFrom(topology, host, i, now)])),
    storages: Object.fromEntries(storages.map((storage) => [storage.id, storage])),
    volumes: {},
    vms: {},
    tasks: [],
    pools: {},
    access: accessFrom(credentials),
    options: {},
    firewall: {},
    sections: { pci: mappingsFrom(topology) },
    filled: {},
  }
  for (const file of topology.files ?? []) addFile(state, file, now)
  for (const guest of topology.guests) state.vms[String(guest.vmid)] = foreignVm(state, random, now, guest)
  return state
}

/** One for all hosts on a shared storage, otherwise one on each. */
function addFile(state: DatacenterState, { volid, medium }: SimFile, now: number): void {
  const [id = '', path = ''] = volid.split(':')
  const storage = state.storages[id]
  if (storage === undefined) throw new Error(`The lab has no storage ${id} for ${volid}.`)
  const isShared = ['nfs', 'rbd'].includes(storage.type) || storage.options.shared === '1'
  const bytes = medium === undefined ? new Uint8Array(2048) : encodeMedium(medium)
  for (const host of isShared ? [''] : Object.keys(state.hosts))
    state.volumes[volumeKey(volid, host)] = {
      volid,
      storage: id,
      host,
      content: path.split('/')[0] ?? 'iso',
      format: 'iso',
      size: bytes.byteLength,
      used: bytes.byteLength,
      ctime: Math.floor(now / 1000),
      bytes,
      disk: {},
    }
}

function hostFrom(
  topology: Topology,
  { name, address, cpus, memory, bridges }: Topology['hosts'][number],
  i: number,
  now: number,
): HostState {
  const nic = { type: 'eth', method: 'manual', method6: 'manual', priority: 3 }
  const interfaces = Object.fromEntries(
    bridges.map((bridge, n) => [
      bridge.name,
      {
        type: 'bridge',
        method: bridge.cidr === undefined ? 'manual' : 'static',
        method6: 'manual',
        priority: 4 + n,
        active: 1,
        autostart: 1,
        bridge_ports: bridge.isolated === true ? '' : `eno${n + 1}`,
        bridge_stp: 'off',
        bridge_fd: '0',
        ...(bridge.vlanAware ? { bridge_vlan_aware: 1, bridge_vids: '2-4094' } : {}),
        ...(bridge.cidr === undefined
          ? {}
          : { cidr: bridge.cidr, address: bridge.cidr.split('/')[0] ?? '', netmask: bridge.cidr.split('/')[1] ?? '' }),
        ...(bridge.gateway === undefined ? {} : { gateway: bridge.gateway }),
      },
    ]),
  )
  return {
    name,
    nodeid: i + 1,
    address,
    online: true,
    cpus,
    memory,
    rootTotal: 100 * 1024 ** 3,
    bootedAt: now - 86_400_000,
    interfaces: { eno1: nic, ...interfaces },
    pci: topology.pciMappings.filter((mapping) => mapping.host === name).map((mapping) => mapping.path),
    nextPid: 1000 + i,
    description: {},
  }
}

function storageFrom({ id, type, content, shared, hosts, total }: Topology['storages'][number]): StorageState {
  const places: Record<string, Record<string, string>> = {
    dir: { path: id === 'local' ? '/var/lib/vz' : `/var/lib/${id}` },
    lvmthin: { vgname: 'pve', thinpool: 'data' },
    zfspool: { pool: 'rpool/data' },
    nfs: { path: `/mnt/pve/${id}`, server: '192.0.2.200', export: `/export/${id}` },
    rbd: { pool: id },
  }
  return {
    id,
    type,
    total,
    options: {
      ...places[type],
      content: content.join(','),
      ...(shared && type !== 'nfs' && type !== 'rbd' ? { shared: '1' } : {}),
      ...(hosts === undefined ? {} : { nodes: hosts.join(',') }),
    },
  }
}

function accessFrom({ tokenId, tokenSecret, rootPassword }: Credentials): DatacenterState['access'] {
  const [userid = 'root@pam', token = 'lab'] = tokenId.split('!')
  return {
    users: {
      [userid]: {
        userid,
        enable: true,
        expire: 0,
        password: rootPassword,
        groups: [],
        details: {},
        tokens: { [token]: { secret: tokenSecret, expire: 0, privsep: false } },
      },
    },
    groups: {},
    roles: {},
    acl: [],
    realms: {
      pam: { type: 'pam', comment: 'Linux PAM standard authentication' },
      pve: { type: 'pve', comment: 'Proxmox VE authentication server' },
    },
    secret: randomBytes(32).toString('hex'),
  }
}

function mappingsFrom({ pciMappings }: Topology): NonNullable<DatacenterState['sections'][string]> {
  const ids = [...new Set(pciMappings.map(({ id }) => id))]
  return Object.fromEntries(
    ids.map((id) => [
      id,
      {
        type: 'pci',
        map: pciMappings
          .filter((mapping) => mapping.id === id)
          .map(({ host, path }) => `id=10de:2204,iommugroup=12,node=${host},path=${path}`),
      },
    ]),
  )
}

function foreignVm(state: DatacenterState, random: Random, now: number, guest: Topology['guests'][number]): VmState {
  const vm = emptyVm(guest.vmid, guest.host, now, 0)
  const storage = Object.values(state.storages).find(({ options }) => options.content?.includes('images'))
  vm.config = {
    name: guest.name,
    cores: String(guest.cpus),
    memory: String(Math.floor(guest.memory / 1024 ** 2)),
    smbios1: `uuid=${random.uuid()}`,
    vmgenid: random.uuid(),
    meta: `creation-qemu=9.2.0,ctime=${Math.floor(now / 1000) - 86_400}`,
    ostype: 'l26',
    net0: `virtio=BC:24:11:${random.hex(2)}:${random.hex(2)}:${random.hex(2)},bridge=vmbr0`
      .toUpperCase()
      .replace('VIRTIO', 'virtio')
      .replace('BRIDGE=VMBR0', 'bridge=vmbr0'),
    boot: 'order=scsi0',
  }
  if (storage !== undefined && guest.disk > 0) addDisk(state, vm, storage, guest)
  if (guest.running) Object.assign(vm, { running: true, startedAt: now - 3_600_000, pid: 900 + guest.vmid })
  return vm
}

function addDisk(
  state: DatacenterState,
  vm: VmState,
  storage: StorageState,
  { vmid, host, disk }: Topology['guests'][number],
): void {
  const isBlock = ['lvmthin', 'zfspool', 'rbd'].includes(storage.type)
  const isShared = ['nfs', 'rbd'].includes(storage.type) || storage.options.shared === '1'
  const volid = isBlock ? `${storage.id}:vm-${vmid}-disk-0` : `${storage.id}:${vmid}/vm-${vmid}-disk-0.raw`
  const place = isShared ? '' : host
  vm.config.scsi0 = `${volid},size=${Math.floor(disk / 1024 ** 3)}G`
  state.volumes[`${place}|${volid}`] = {
    volid,
    storage: storage.id,
    host: place,
    content: 'images',
    format: 'raw',
    size: disk,
    used: Math.floor(disk / 2),
    ctime: 0,
    vmid,
    disk: {},
  }
}
