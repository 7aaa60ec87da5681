import type { Cidr } from '../../../cluster/address.js'
import type { Role } from '../../../cluster/machine.js'
import { parseVersion } from '../../../cluster/version.js'
import type { Settings } from '../../../inventory/schema.js'
import { disjoint, type Opening, type Protocol } from './ports.js'

/** Who may reach what on the machines of one role; everything that enforces it is made from this. */
export interface FirewallPolicy {
  /** What no opening names is dropped. Else only the ports of the openings are closed for others. */
  readonly defaultDeny: boolean
  /** Every port is in one of them only. */
  readonly openings: readonly Opening[]
  readonly nodes: readonly Cidr[]
  readonly pods: readonly Cidr[]
  readonly admins: readonly Cidr[]
}

/** What a policy is made from. */
export interface FirewallSettings extends Pick<Settings, 'addons' | 'talos_version'> {
  readonly firewall: Pick<Settings['firewall'], 'admin_networks' | 'default_deny' | 'node_ports' | 'open_ports'>
  readonly network: Pick<Settings['network'], 'cidr' | 'ipv6' | 'pod_cidr'>
  readonly kubernetes: Pick<Settings['kubernetes'], 'cni'>
}

/** The policy of the inventory. What nodes need of each other is always in it. */
export function firewallPolicy(settings: FirewallSettings, role: Role): FirewallPolicy {
  const { firewall, network } = settings
  const nodes = [network.cidr, network.ipv6?.cidr].filter((cidr) => cidr !== undefined)
  const pods = [network.pod_cidr, ...(network.ipv6 === undefined ? [] : [network.ipv6.pod_cidr])]
  const admins = firewall.admin_networks
  const sources = { admins, nodes, pods, inside: [...nodes, ...pods] }
  const openings = [
    ...(role === 'controlplane' ? controlPlanePorts(settings, sources) : []),
    ...nodePorts(sources),
    ...networkPorts(settings, sources),
    ...addonPorts(settings, sources),
    ...openPorts(firewall, sources),
  ]
  return { defaultDeny: firewall.default_deny, openings: disjoint(openings), nodes, pods, admins }
}

interface Sources {
  readonly admins: readonly Cidr[]
  readonly nodes: readonly Cidr[]
  readonly pods: readonly Cidr[]
  /** Nodes and pods: a pod reaches its own node with its own address. */
  readonly inside: readonly Cidr[]
}

function controlPlanePorts({ talos_version }: FirewallSettings, { admins, nodes, inside }: Sources): Opening[] {
  const hasMetricsPort = (parseVersion(talos_version)?.minor ?? 0) >= 14
  return [
    opening('kubernetes-api', 'tcp', 6443, [...admins, ...inside]),
    opening('etcd', 'tcp', [2379, 2380], nodes),
    ...(hasMetricsPort ? [opening('etcd-metrics', 'tcp', 2383, nodes)] : []),
    opening('trustd', 'tcp', 50_001, nodes),
  ]
}

function nodePorts({ admins, nodes, inside }: Sources): Opening[] {
  return [
    opening('talos-api', 'tcp', 50_000, [...admins, ...nodes]),
    opening('kubelet', 'tcp', 10_250, inside),
    opening('kubespan', 'udp', 51_820, nodes),
  ]
}

/** What the network of the pods uses between nodes. */
function networkPorts({ kubernetes, addons }: FirewallSettings, { nodes }: Sources): Opening[] {
  if (addons.cilium !== undefined)
    return [
      opening('cilium-vxlan', 'udp', 8472, nodes),
      opening('cilium-health', 'tcp', 4240, nodes),
      opening('cilium-hubble', 'tcp', 4244, nodes),
      opening('cilium-wireguard', 'udp', 51_871, nodes),
    ]
  return kubernetes.cni === 'flannel' || addons.flannel !== undefined
    ? [opening('flannel-vxlan', 'udp', 4789, nodes), opening('flannel-vxlan', 'udp', 8472, nodes)]
    : []
}

function addonPorts({ addons }: FirewallSettings, { nodes, inside }: Sources): Opening[] {
  const isWatched = addons.kube_prometheus_stack !== undefined || addons.victoria_metrics !== undefined
  return [
    ...(addons.metallb === undefined
      ? []
      : [opening('metallb-members', 'tcp', 7946, nodes), opening('metallb-members', 'udp', 7946, nodes)]),
    ...(isWatched ? [opening('node-metrics', 'tcp', 9100, inside)] : []),
  ]
}

const servicePorts = [30_000, 32_767] as const

function openPorts({ open_ports, node_ports }: FirewallSettings['firewall'], { inside }: Sources): Opening[] {
  const both = (['tcp', 'udp'] as const).map((protocol) =>
    opening('node-ports', protocol, servicePorts, [...node_ports, ...inside]),
  )
  return [
    ...(node_ports.length === 0 ? [] : both),
    ...open_ports.map(({ port, protocol, from }) => opening(`open-${protocol}-${port}`, protocol, port, from)),
  ]
}

function opening(
  name: string,
  protocol: Protocol,
  ports: number | readonly [number, number],
  from: readonly Cidr[],
): Opening {
  const [first, last] = typeof ports === 'number' ? [ports, ports] : ports
  return { name, protocol, first, last, from }
}
