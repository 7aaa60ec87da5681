import { isIPv6 } from 'node:net'
import { stringify } from 'yaml'
import { type Address, addressOf, type Cidr } from '../../cluster/address.js'

/** One link of a machine before it has its config, found by its MAC. */
export interface SeedLink {
  readonly mac: string
  readonly addresses: readonly Cidr[]
  readonly gateways: readonly Address[]
  readonly dhcp: boolean
  readonly mtu?: number
}

export interface SeedNetwork {
  /** The first one is net0. */
  readonly links: readonly SeedLink[]
  readonly nameservers: readonly Address[]
}

/** The text of `network-config` in cloud-init's first or second form; Talos reads both. */
export function seedNetworkConfig(network: SeedNetwork, version: 1 | 2 = 1): string {
  return stringify(version === 1 ? formOne(network) : formTwo(network), { lineWidth: 0 })
}

function formOne({ links, nameservers }: SeedNetwork): unknown {
  return {
    version: 1,
    config: [
      ...links.map((link, index) => ({
        type: 'physical',
        name: `eth${index}`,
        mac_address: link.mac.toLowerCase(),
        ...(link.mtu === undefined ? {} : { mtu: link.mtu }),
        subnets: [...(link.dhcp ? [{ type: 'dhcp4' }] : []), ...staticSubnets(link)],
      })),
      ...(nameservers.length === 0 ? [] : [{ type: 'nameserver', address: [...nameservers] }]),
    ],
  }
}

/** The gateway of a family stands with the first address of that family. */
function staticSubnets({ addresses, gateways }: SeedLink): unknown[] {
  const given = new Set<boolean>()
  return addresses.map((address) => {
    const wide = isWide(address)
    const gateway = given.has(wide) ? undefined : gateways.find((candidate) => isIPv6(candidate) === wide)
    given.add(wide)
    return { type: wide ? 'static6' : 'static', address, ...(gateway === undefined ? {} : { gateway }) }
  })
}

function formTwo({ links, nameservers }: SeedNetwork): unknown {
  const entries = links.map((link, index) => [`eth${index}`, ethernet(link, index === 0 ? nameservers : [])] as const)
  return { version: 2, ethernets: Object.fromEntries(entries) }
}

function ethernet(link: SeedLink, nameservers: readonly Address[]): unknown {
  const gateway4 = link.gateways.find((gateway) => !isIPv6(gateway))
  const gateway6 = link.gateways.find((gateway) => isIPv6(gateway))
  return {
    match: { macaddress: link.mac.toLowerCase() },
    dhcp4: link.dhcp,
    ...(link.addresses.length === 0 ? {} : { addresses: [...link.addresses] }),
    ...(gateway4 === undefined ? {} : { gateway4 }),
    ...(gateway6 === undefined ? {} : { gateway6 }),
    ...(link.mtu === undefined ? {} : { mtu: link.mtu }),
    ...(nameservers.length === 0 ? {} : { nameservers: { addresses: [...nameservers] } }),
  }
}

function isWide(cidr: Cidr): boolean {
  return isIPv6(addressOf(cidr))
}
