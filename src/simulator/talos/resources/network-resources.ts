import type { TalosMachine } from '../machine/machine.js'
import { probeStatuses } from '../machine/probes.js'
import { macBytes, netIp, netIpPrefix, proto } from './proto-spec.js'
import type { ResourceItem, ResourceKind } from './resource-kind.js'
import { networkOf, withinAny } from './subnets.js'

/** Links, addresses and names. */
export const networkResources: readonly ResourceKind[] = [
  {
    type: 'LinkStatuses.net.talos.dev',
    namespace: 'network',
    list: ({ links }) => [
      loopback,
      ...links.map(({ name, mac, isUp }, index) => {
        const state = isUp ? 'up' : 'down'
        const spec = {
          index: index + 2,
          type: 'ether',
          linkIndex: 0,
          flags: 'UP,BROADCAST,RUNNING,MULTICAST,LOWER_UP',
          hardwareAddr: mac,
          permanentAddr: mac,
          broadcastAddr: 'ff:ff:ff:ff:ff:ff',
          mtu: 1500,
          queueDisc: 'pfifo_fast',
          operationalState: state,
          kind: '',
          driver: 'virtio_net',
          linkState: isUp,
        }
        const bytes = macBytes(mac)
        const fields = {
          1: spec.index,
          2: 1,
          5: bytes,
          7: 1500,
          8: 'pfifo_fast',
          10: isUp ? 6 : 2,
          15: 'virtio_net',
          22: isUp,
          30: bytes,
        }
        return { id: name, spec, proto: proto(fields) }
      }),
    ],
  },
  {
    type: 'AddressStatuses.net.talos.dev',
    namespace: 'network',
    list: ({ links, vips }) =>
      links.flatMap(({ name, addresses }, index) => {
        const held = index === 0 ? [...vips].map((vip) => `${vip}/32`) : []
        return [...addresses, ...held].map((address) => ({
          id: `${name}/${address}`,
          spec: {
            address,
            linkIndex: index + 2,
            linkName: name,
            family: address.includes(':') ? 'inet6' : 'inet4',
            scope: 'global',
          },
          proto: proto({ 1: netIpPrefix(address), 6: index + 2, 7: name, 8: address.includes(':') ? 10 : 2 }),
        }))
      }),
  },
  { type: 'NodeAddresses.net.talos.dev', namespace: 'network', list: nodeAddresses },
  {
    type: 'HostnameStatuses.net.talos.dev',
    namespace: 'network',
    list: ({ hostname }) => {
      if (hostname === '') return []
      const [short = '', ...domain] = hostname.split('.')
      const spec = { hostname: short, domainname: domain.join('.') }
      return [{ id: 'hostname', spec, proto: proto({ 1: spec.hostname, 2: spec.domainname }) }]
    },
  },
  {
    type: 'NetworkStatuses.net.talos.dev',
    namespace: 'network',
    list: (machine) => {
      const isUp = machine.addresses.length > 0
      const isConnected = isUp && probeStatuses(machine).every(({ error }) => error === undefined)
      const named = machine.hostname !== ''
      const spec = { addressReady: isUp, connectivityReady: isConnected, hostnameReady: named, etcFilesReady: named }
      return [{ id: 'status', spec, proto: proto({ 1: isUp, 2: isConnected, 3: named, 4: named }) }]
    },
  },
  {
    type: 'RouteStatuses.net.talos.dev',
    namespace: 'network',
    list: ({ links }) =>
      links.flatMap(({ name, gateways }) =>
        gateways.map((gateway) => ({
          id: `inet4/${gateway}//1024`,
          spec: {
            dst: '',
            gateway,
            outLinkName: name,
            table: 'main',
            priority: 1024,
            family: 'inet4',
            type: 'unicast',
          },
          proto: proto({ 1: 2, 4: netIp(gateway), 6: name, 7: 254, 8: 1024 }),
        })),
      ),
  },
  {
    type: 'ProbeStatuses.net.talos.dev',
    namespace: 'network',
    list: (machine) =>
      probeStatuses(machine).map(({ endpoint, error }) => {
        const spec = { success: error === undefined, lastError: error ?? '' }
        return { id: `tcp:${endpoint}`, spec, proto: proto({ 1: spec.success, 2: spec.lastError }) }
      }),
  },
  {
    type: 'ResolverStatuses.net.talos.dev',
    namespace: 'network',
    list: ({ networkFacts, links }) => {
      const configured = networkFacts?.nameservers ?? []
      const dnsServers = configured.length > 0 ? configured : links.flatMap(({ nameservers }) => nameservers)
      return [{ id: 'resolvers', spec: { dnsServers }, proto: proto({ 1: dnsServers.map(netIp) }) }]
    },
  },
]

const loopback: ResourceItem = {
  id: 'lo',
  spec: {
    index: 1,
    type: 'loopback',
    hardwareAddr: '00:00:00:00:00:00',
    mtu: 65536,
    operationalState: 'unknown',
    kind: '',
    linkState: true,
  },
  proto: proto({ 1: 1, 2: 772, 7: 65536, 22: true }),
}

function nodeAddresses({ links, vips, facts }: TalosMachine): ResourceItem[] {
  const fixed = links.flatMap(({ addresses }) => addresses)
  const current = [...fixed, ...[...vips].map((vip) => `${vip}/32`)]
  const inCluster = [...(facts?.podSubnets ?? []), ...(facts?.serviceSubnets ?? [])]
  const outside = (addresses: readonly string[]) => addresses.filter((address) => !withinAny(address, inCluster))
  const item = (id: string, addresses: readonly string[]): ResourceItem => ({
    id,
    spec: { addresses, sortAlgorithm: 'v1' },
    proto: proto({ 1: addresses.map(netIpPrefix) }),
  })
  return [
    item('default', fixed.slice(0, 1)),
    item('current', current),
    item('accumulative', current),
    item(
      'routed',
      fixed.map((address) => address),
    ),
    item('current-no-k8s', outside(current)),
    item('accumulative-no-k8s', outside(current)),
    item('routed-no-k8s', outside(fixed)),
    item(
      'current-only-k8s',
      current.filter((address) => withinAny(address, inCluster)),
    ),
    item('networks', fixed.map(networkOf)),
  ]
}
