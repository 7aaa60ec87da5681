import { z } from 'zod'
import { addressRangeOf } from '../address-range.js'
import { address, bridgeName, mtu, network, oneOrMore, textOf, vlanId } from './values.js'

const mode = z.enum(['static', 'dhcp'])
const offset = z.int().min(0)

const extraNic = z.lazy(() =>
  z
    .strictObject({
      bridge: bridgeName.describe('Bridge of this NIC.'),
      vlan_id: vlanId.exactOptional().describe('VLAN tag.'),
      mtu: mtu.exactOptional().describe('MTU.'),
      mode: mode.default('static').describe('How it gets its address.'),
      cidr: network.exactOptional().describe('Network of the static addresses.'),
      control_plane_offset: offset.default(10).describe('Address of the first control plane in `cidr`.'),
      worker_offset: offset.default(20).describe('Address of the first worker in `cidr`.'),
    })
    .describe('A further NIC of every machine. It gets no default route.'),
)

/** Addresses, name servers, and the networks inside the cluster. */
export const networkSettings = z
  .strictObject({
    mode: mode
      .default('static')
      .describe('`static`: the address is in the machine config. `dhcp`: it comes from a DHCP server.'),
    agent: z
      .boolean()
      .default(true)
      .describe(
        'The guest agent runs: the VM option is set and the extension added. A custom `schematic` or `iso` must contain it.',
      ),
    cidr: network
      .exactOptional()
      .describe('Network of the nodes. Without it, prefix and gateway are read from the bridge on the host.'),
    gateway: address
      .exactOptional()
      .describe('Default route. With a `cidr` and without a gateway the nodes have none.'),
    dns: oneOrMore(address).prefault([]).describe('Name servers. Default: those from DHCP, else the Talos default.'),
    ntp: oneOrMore(z.string().min(1)).prefault([]).describe('Time servers. Default: the Talos default.'),
    vip: address.exactOptional().describe('Virtual IP shared by the control planes; used as the endpoint.'),
    control_plane_offset: offset
      .default(10)
      .describe('Address of the first control plane in `cidr`; the next ones follow.'),
    worker_offset: offset.default(20).describe('Address of the first worker in `cidr`; the next ones follow.'),
    mtu: mtu.exactOptional().describe('MTU of the first NIC.'),
    pod_cidr: network.default('10.244.0.0/16').describe('Network of the pods.'),
    svc_cidr: network.default('10.96.0.0/12').describe('Network of the services.'),
    ipv6: z
      .lazy(() =>
        z.strictObject({
          cidr: network.exactOptional().describe('IPv6 network of the nodes, with the same offsets as `cidr`.'),
          gateway: address.exactOptional().describe('IPv6 default route.'),
          pod_cidr: network.default('fd00:10:244::/56').describe('IPv6 network of the pods.'),
          svc_cidr: network.default('fd00:10:96::/112').describe('IPv6 network of the services.'),
        }),
      )
      .exactOptional()
      .describe('Dual stack: IPv6 beside IPv4.'),
    nics: z.array(extraNic).default([]).describe('NICs after the first.'),
    load_balancer: oneOrMore(
      textOf('a range of addresses', '10.0.10.200-10.0.10.220', (text) => addressRangeOf(text) !== undefined),
    )
      .prefault([])
      .describe('Addresses for services of type LoadBalancer: first-last, or a network.'),
  })
  .prefault({})
  .describe('Addresses, name servers, and the networks inside the cluster.')
