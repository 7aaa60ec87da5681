import { isIP } from 'node:net'
import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { type ConfigReader, findText, mappingsOf, readerOf, textsOf } from './read-values.js'

/** Invalid addresses, networks and endpoints. */
export function addressProblems(config: MachineConfig): string[] {
  const reader = readerOf(config)
  return [
    ...mappingsOf(reader.v1('machine.network.interfaces')).flatMap(interfaceProblems),
    ...subnetProblems(reader, 'machine.kubelet.nodeIP.validSubnets', 'kubelet nodeIP subnet is not valid'),
    ...subnetProblems(reader, 'cluster.etcd.advertisedSubnets', 'etcd advertised subnet is not valid'),
    ...subnetProblems(reader, 'cluster.etcd.listenSubnets', 'etcd listen subnet is not valid'),
    ...mappingsOf(reader.v1('machine.logging.destinations')).flatMap(destinationProblems),
    ...mirrorProblems(reader.v1('machine.registries.mirrors')),
  ]
}

function interfaceProblems(link: Mapping): string[] {
  if (link.ignore === true) return []
  const vip = isMapping(link.vip) ? [link.vip] : []
  return [
    ...[link, ...mappingsOf(link.vlans)].flatMap(linkProblems),
    ...vip
      .filter(({ ip }) => isIP(findText(ip) ?? '') === 0)
      .map(({ ip }) => `[networking.os.device.vip] "${ip}": not an IP`),
  ]
}

function linkProblems({ addresses, routes }: Mapping): string[] {
  return [
    ...textsOf(addresses)
      .filter((address) => isIP(address) === 0 && !isNetwork(address))
      .map((address) => `[networking.os.device.addresses] "${address}": invalid CIDR address`),
    ...mappingsOf(routes).flatMap(routeProblems),
  ]
}

function routeProblems({ network, gateway, source }: Mapping): string[] {
  const hosts = [gateway, source].flatMap((value) => findText(value) ?? [])
  const target = findText(network)
  return [
    ...(target === undefined || isNetwork(target) ? [] : [`[networking.os.device.route.network] "${target}": invalid`]),
    ...hosts
      .filter((host) => isIP(host) === 0)
      .map((host) => `[networking.os.device.route.gateway] "${host}": invalid network address`),
  ]
}

/** A leading `!` excludes a subnet. */
function subnetProblems(reader: ConfigReader, path: string, complaint: string): string[] {
  return textsOf(reader.v1(path))
    .filter((subnet) => !isNetwork(subnet.replace(/^!/, '')))
    .map((subnet) => `${complaint}: "${subnet}"`)
}

function destinationProblems({ endpoint, format }: Mapping): string[] {
  const isEndpoint = /^(tcp|udp):\/\/[^/]*:\d+/.test(findText(endpoint) ?? '')
  return [
    ...(isEndpoint ? [] : [`invalid logging endpoint: "${String(endpoint)}"`]),
    ...(format === 'json_lines' ? [] : [`invalid log format: "${String(format)}"`]),
  ]
}

function mirrorProblems(mirrors: unknown): string[] {
  const empty = Object.entries(isMapping(mirrors) ? mirrors : {}).filter(([, mirror]) => mirror === null)
  return empty.map(([name]) => `registry mirror "${name}" is empty`)
}

function isNetwork(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && more === undefined && /^\d+$/.test(bits) && Number(bits) <= most
}
