import { type Fields, findText, flag, listOf, optional, text } from './fields.js'
import type { Bridge, HostCalls, HostCertificate } from './port.js'
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
