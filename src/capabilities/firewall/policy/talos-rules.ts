import type { Cidr } from '../../../cluster/address.js'
import type { FirewallPolicy } from './policy.js'

/** The ingress firewall of a node, as Talos writes it down. */
export interface TalosRules {
  readonly defaultAction: 'accept' | 'block'
  readonly rules: readonly {
    readonly name: string
    readonly protocol: 'tcp' | 'udp'
    readonly ports: readonly (number | string)[]
    readonly from: readonly { readonly subnet: Cidr }[]
  }[]
}

/** Talos lets in by itself what it answers to, what comes from the node, and ICMP. */
export function talosRules({ defaultDeny, openings }: FirewallPolicy): TalosRules {
  return {
    defaultAction: defaultDeny ? 'block' : 'accept',
    rules: openings.map(({ name, protocol, first, last, from }) => ({
      name,
      protocol,
      ports: [first === last ? first : `${first}-${last}`],
      from: from.map((subnet) => ({ subnet })),
    })),
  }
}
