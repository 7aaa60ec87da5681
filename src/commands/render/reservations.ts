import type { Inventory } from '../../inventory/inventory.js'
import { dnsmasqReservations } from '../../render/dnsmasq.js'

/** From the inventory alone: MACs follow from the names, so the server can have them before the first `up`. */
export function dhcpReservations({ settings, machines }: Inventory): string {
  const { cidr, vip, load_balancer: ranges } = settings.network
  return dnsmasqReservations(
    {
      cluster: settings.cluster_name,
      ...(cidr === undefined ? {} : { cidr }),
      reserved: [
        ...(vip === undefined ? [] : [{ what: 'VIP', addresses: vip }]),
        ...ranges.map((addresses) => ({ what: 'load balancer', addresses })),
      ],
    },
    machines.map(({ name, identity, address }) => ({
      hostname: name,
      mac: identity.mac,
      ...(address === undefined ? {} : { address }),
    })),
  )
}
