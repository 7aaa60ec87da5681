import { type Fields, fieldsOf, findText, flag, listOf, number, optional, text } from './fields.js'
import type { Bridge, HostCalls, HostCertificate, HostStatus, ThinPool } from './port.js'
import type { ProxmoxApi } from './transport/api.js'

export function hostCalls(api: ProxmoxApi): HostCalls {
  return {
    bridges: async (host, signal) => {
      const interfaces = await api.get(`/nodes/${host}/network`, { type: 'any_bridge' }, signal)
      return listOf(interfaces).map(readBridge)
    },
    addresses: async (signal) => {
      const hosts = listOf(await api.get('/cluster/status', {}, signal)).filter(
        (entry) => text(entry, 'type') === 'node',
      )
      const online = hosts.filter((host) => flag(host, 'online'))
      const interfaces = await Promise.all(
        online.map(async (host) => listOf(await api.get(`/nodes/${text(host, 'name')}/network`, {}, signal))),
      )
      const found = interfaces.flat().flatMap((entry) => [findText(entry, 'address'), findText(entry, 'address6')])
      const all = [...hosts.map((host) => findText(host, 'ip')), ...found].filter((address) => address !== undefined)
      return [...new Set(all)].filter((address) => address !== '' && !isLocal(address)).sort()
    },
    certificates: async (host, signal) =>
      listOf(await api.get(`/nodes/${host}/certificates/info`, {}, signal)).map(readCertificate),
    status: async (host, signal) => readStatus(fieldsOf(await api.get(`/nodes/${host}/status`, {}, signal))),
    time: async (host, signal) => number(fieldsOf(await api.get(`/nodes/${host}/time`, {}, signal)), 'time') * 1000,
    thinPools: async (host, signal) =>
      listOf(await api.get(`/nodes/${host}/disks/lvmthin`, {}, signal)).map(readThinPool),
  }
}

function readStatus(status: Fields): HostStatus {
  return {
    memory: readUsage(status.memory),
    swap: readUsage(status.swap),
    rootFilesystem: readUsage(status.rootfs),
    cpuModel: text(fieldsOf(status.cpuinfo), 'model'),
    kernel: text(status, 'kversion'),
    // `pve-manager/9.2.3/d0fde103bd6cbb36`.
    proxmoxVersion: text(status, 'pveversion').split('/')[1] ?? '',
  }
}

function readUsage(value: unknown): { total: number; used: number } {
  const fields = fieldsOf(value)
  return { total: number(fields, 'total'), used: number(fields, 'used') }
}

function readThinPool(entry: Fields): ThinPool {
  return {
    volumeGroup: text(entry, 'vg'),
    name: text(entry, 'lv'),
    size: number(entry, 'lv_size'),
    used: number(entry, 'used'),
    metadataSize: number(entry, 'metadata_size'),
    metadataUsed: number(entry, 'metadata_used'),
  }
}

function readCertificate(entry: Fields): HostCertificate {
  return { filename: text(entry, 'filename'), pem: text(entry, 'pem') }
}

function readBridge(entry: Fields): Bridge {
  return {
    name: text(entry, 'iface'),
    vlanAware: flag(entry, 'bridge_vlan_aware'),
    ports: `${findText(entry, 'bridge_ports') ?? ''} ${findText(entry, 'ovs_ports') ?? ''}`
      .split(/\s+/)
      .filter((port) => port !== ''),
    ...optional('cidr', findText(entry, 'cidr')),
    ...optional('gateway', findText(entry, 'gateway')),
  }
}

function isLocal(address: string): boolean {
  return /^(127\.|::1$|fe80:)/i.test(address)
}
