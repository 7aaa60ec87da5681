import type { Address, Cidr } from '../cluster/address.js'

/** A machine as a DHCP server needs to know it. */
export interface Reservation {
  readonly hostname: string
  readonly mac: string
  /** Absent where the server may choose it. */
  readonly address?: Address
}

export interface DhcpNetwork {
  readonly cluster: string
  readonly cidr?: Cidr
  /** Addresses that no lease may take: the VIP, ranges of load balancers. */
  readonly reserved: readonly { readonly what: string; readonly addresses: string }[]
}

/** Reservations for dnsmasq: each MAC gets its hostname and, where the inventory sets one, its address. */
export function dnsmasqReservations(network: DhcpNetwork, reservations: readonly Reservation[]): string {
  return [
    `# DHCP reservations of the cluster ${network.cluster}. Written by: ichor render --dhcp dnsmasq`,
    ...(network.cidr === undefined ? [] : [`# Network: ${network.cidr}`]),
    ...network.reserved.map(({ what, addresses }) => `# Keep out of dhcp-range: ${addresses} (${what})`),
    ...reservations.map(reservationLine),
    '',
  ].join('\n')
}

function reservationLine({ hostname, mac, address }: Reservation): string {
  const isV6 = address?.includes(':') ?? false
  const fields = [mac, ...(address === undefined ? [] : [isV6 ? `[${address}]` : address]), hostname]
  return `dhcp-host=${fields.join(',')}`
}
