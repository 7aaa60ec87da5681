import type { Address, Cidr } from '../cluster/address.js'

/** A machine as a DHCP server needs it. */
export interface Reservation {
  readonly hostname: string
  readonly mac: string
  /** Absent if the server may choose it. */
  readonly address?: Address
}

export interface DhcpNetwork {
  readonly cluster: string
  readonly cidr?: Cidr
  /** Addresses that no lease may use: the VIP, load balancer ranges. */
  readonly reserved: readonly { readonly what: string; readonly addresses: string }[]
}

/** Reservations for dnsmasq: each MAC gets its hostname and, if the inventory sets one, its address. */
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
