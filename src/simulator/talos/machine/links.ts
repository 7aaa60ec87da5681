import type { VirtualNic } from '../../core/guest.js'
import type { DhcpLease, LabNetwork } from '../../core/network.js'
import type { LinkConfig, NetworkFacts } from '../config/network-facts.js'
import type { Seed } from '../media/cidata.js'
import type { PlatformLink } from '../media/network-config.js'

/** A configured NIC of the running system. */
export interface Link {
  readonly name: string
  /** Lower case, as the kernel prints it. */
  readonly mac: string
  /** With prefix. */
  readonly addresses: readonly string[]
  readonly gateways: readonly string[]
  readonly nameservers: readonly string[]
  readonly isUp: boolean
  readonly usesDhcp: boolean
  /** Option 12 of the lease, unless it is ignored. */
  readonly dhcpHostname?: string
}

export interface LinkSources {
  readonly nics: readonly VirtualNic[]
  readonly platform: 'nocloud' | 'metal'
  readonly network: LabNetwork
  readonly config?: NetworkFacts
  readonly seed?: Seed
}

/** Sets up every NIC: by the config, otherwise by the platform, otherwise by DHCP. */
export function setUpLinks({ nics, platform, network, config, seed }: LinkSources): Link[] {
  return nics.map((nic, index) => {
    const name = platform === 'nocloud' ? `eth${index}` : `ens${18 + index}`
    const configured = config?.links.find(({ selector }) => fits(selector, name, nic.mac))
    const given = seed?.network?.links.find((link) => fits(link, name, nic.mac))
    const usesDhcp = configured?.dhcp ?? given?.dhcp ?? true
    const lease = usesDhcp && !nic.linkDown ? network.lease(nic.mac, nic.bridge) : undefined
    return linkOf({ nic, name, configured, given, usesDhcp, lease, seed })
  })
}

/** The effective name: config over DHCP over platform over the name derived from the node's ID. */
export function hostnameOf(
  links: readonly Link[],
  config: NetworkFacts | undefined,
  seed: Seed | undefined,
  stable: string,
): string {
  const leased = links.find((link) => link.dhcpHostname !== undefined)?.dhcpHostname
  return config?.hostname ?? leased ?? seed?.hostname ?? stable
}

interface LinkParts {
  readonly nic: VirtualNic
  readonly name: string
  readonly configured: LinkConfig | undefined
  readonly given: PlatformLink | undefined
  readonly usesDhcp: boolean
  readonly lease: DhcpLease | undefined
  readonly seed: Seed | undefined
}

function linkOf({ nic, name, configured, given, usesDhcp, lease, seed }: LinkParts): Link {
  const fixed = configured ?? given
  const isUp = !nic.linkDown
  const hostname = configured?.ignoreDhcpHostname === true ? undefined : lease?.hostname
  return {
    name,
    mac: nic.mac.toLowerCase(),
    addresses: isUp ? [...(fixed?.addresses ?? []), ...(lease === undefined ? [] : [lease.cidr])] : [],
    gateways: isUp ? [...(fixed?.gateways ?? []), ...(lease === undefined ? [] : [lease.gateway])] : [],
    nameservers: lease?.dns ?? seed?.network?.nameservers ?? [],
    isUp,
    usesDhcp,
    ...(hostname === undefined ? {} : { dhcpHostname: hostname }),
  }
}

function fits(selector: { name?: string; mac?: string }, name: string, mac: string): boolean {
  if (selector.mac !== undefined) return selector.mac === mac.toUpperCase()
  return selector.name === name
}
