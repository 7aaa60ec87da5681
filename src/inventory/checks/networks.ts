import { addressAt, contains, type Network, overlaps, parseNetwork } from '../../cluster/address.js'
import type { Complaint } from '../complaint.js'
import { formatPath, type Path } from '../path.js'
import type { CheckInput } from './check.js'

interface NamedNetwork {
  readonly path: Path
  readonly text: string
  readonly network: Network
}

/** The networks must not overlap, must be of one family, and large enough. */
export function* checkNetworks(input: CheckInput): Iterable<Complaint> {
  const networks = networksOf(input)
  yield* overlapping(networks)
  yield* families(input)
  yield* gateway(input)
  yield* podNetwork(input)
  yield* serviceNetworks(networks)
  yield* furtherNetworks(input)
}

function networksOf({ settings: { network }, has }: CheckInput): NamedNetwork[] {
  const candidates: [Path, string | undefined][] = [
    [['network', 'cidr'], network.cidr],
    [['network', 'pod_cidr'], network.pod_cidr],
    [['network', 'svc_cidr'], network.svc_cidr],
    [['network', 'ipv6', 'cidr'], network.ipv6?.cidr],
    [['network', 'ipv6', 'pod_cidr'], network.ipv6?.pod_cidr],
    [['network', 'ipv6', 'svc_cidr'], network.ipv6?.svc_cidr],
    ...network.nics.map(({ cidr }, index): [Path, string | undefined] => [['network', 'nics', index, 'cidr'], cidr]),
  ]
  const parsed = candidates.flatMap(([path, text]) => {
    const net = text === undefined ? undefined : parseNetwork(text)
    return text === undefined || net === undefined ? [] : [{ path, text, network: net }]
  })
  // A problem should point at something that the user wrote, not at a default.
  return parsed.sort((one, other) => Number(has(one.path)) - Number(has(other.path)))
}

function* overlapping(networks: readonly NamedNetwork[]): Iterable<Complaint> {
  for (const [index, one] of networks.entries()) {
    for (const other of networks.slice(0, index)) {
      if (!overlaps(one.network, other.network)) continue
      yield {
        path: one.path,
        related: [other.path],
        message: `${formatPath(one.path)} (${one.text}) overlaps ${formatPath(other.path)} (${other.text}).`,
        fix: 'Choose networks that share no address.',
      }
    }
  }
}

function* families({ settings: { network }, has }: CheckInput): Iterable<Complaint> {
  const family = parseNetwork(network.pod_cidr)?.family
  const main: [Path, string | undefined][] = [
    [['network', 'svc_cidr'], network.svc_cidr],
    [['network', 'cidr'], network.cidr],
  ]
  for (const [path, text] of main) {
    const own = text === undefined ? undefined : parseNetwork(text)?.family
    if (own === undefined || own === family) continue
    const place = has(path) ? path : ['network', 'pod_cidr']
    yield {
      path: place,
      related: [['network', 'pod_cidr']],
      message: `${formatPath(path)} is IPv${own} and network.pod_cidr IPv${family}.`,
      fix: 'Use one address family for all three; network.ipv6 adds the other.',
    }
  }
  for (const key of ['cidr', 'pod_cidr', 'svc_cidr'] as const) {
    const text = network.ipv6?.[key]
    if (text === undefined || parseNetwork(text)?.family === 6) continue
    yield {
      path: ['network', 'ipv6', key],
      message: `network.ipv6.${key} (${text}) is not an IPv6 network.`,
      fix: 'Write a network such as fd00:10::/64.',
    }
  }
}

function* gateway({ settings: { network } }: CheckInput): Iterable<Complaint> {
  const pairs: [Path, string | undefined, string | undefined][] = [
    [['network'], network.cidr, network.gateway],
    [['network', 'ipv6'], network.ipv6?.cidr, network.ipv6?.gateway],
  ]
  for (const [group, cidr, address] of pairs) {
    const net = cidr === undefined ? undefined : parseNetwork(cidr)
    if (net === undefined || address === undefined || contains(net, address)) continue
    yield {
      path: [...group, 'gateway'],
      related: [[...group, 'cidr']],
      message: `The gateway ${address} is outside of ${formatPath([...group, 'cidr'])} (${cidr}).`,
      fix: `Write an address such as ${addressAt(net, 1)}.`,
    }
  }
}

/** Each node gets a /24 of the pod network (a /64 of an IPv6 one). */
function* podNetwork({ settings: { network }, drafts, has }: CheckInput): Iterable<Complaint> {
  const pods = parseNetwork(network.pod_cidr)
  if (pods === undefined) return
  const available = 2 ** Math.max(0, (pods.family === 4 ? 24 : 64) - pods.prefix)
  if (pods.family === 4 && drafts.length > available) {
    const path = has(['network', 'pod_cidr']) ? ['network', 'pod_cidr'] : ['network']
    yield {
      path,
      related: [['worker_count'], ['workers'], ['worker_pools']],
      message: `network.pod_cidr (${network.pod_cidr}) has space for ${available} nodes with a /24 each, but there are ${drafts.length}.`,
      fix: `Write a network with a prefix of /${24 - Math.ceil(Math.log2(drafts.length))} or wider.`,
    }
  }
}

/** Kubernetes supports at most 20 bits of service addresses. */
function* serviceNetworks(networks: readonly NamedNetwork[]): Iterable<Complaint> {
  for (const { path, text, network } of networks) {
    const shortest = network.family === 4 ? 12 : 108
    if (path.at(-1) !== 'svc_cidr' || network.prefix >= shortest) continue
    yield {
      path,
      message: `${formatPath(path)} (${text}) is larger than Kubernetes allows for services.`,
      fix: `Write a prefix of /${shortest} or longer.`,
    }
  }
}

/** Further NICs and IPv6 have no bridge to read a prefix from: their networks must be set. */
function* furtherNetworks({ settings: { network, controlplane, workers } }: CheckInput): Iterable<Complaint> {
  for (const [index, { mode, cidr, bridge }] of network.nics.entries()) {
    if (mode === 'dhcp' || cidr !== undefined) continue
    yield {
      path: ['network', 'nics', index],
      message: `The NIC on ${bridge} has static addresses, and network.nics[${index}] has no cidr.`,
      fix: `Set network.nics[${index}].cidr, or mode: dhcp.`,
    }
  }
  for (const [list, nodes] of Object.entries({ controlplane, workers })) {
    const index = nodes.findIndex(({ ip6 }) => ip6 !== undefined)
    if (index < 0 || network.ipv6?.cidr !== undefined) continue
    yield {
      path: [list, index, 'ip6'],
      related: [['network', 'ipv6']],
      message: `${nodes[index]?.name} has an IPv6 address, and there is no network.ipv6.cidr.`,
      fix: 'Set network.ipv6.cidr, such as fd00:10::/64.',
    }
  }
}
