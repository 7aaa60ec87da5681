import { isIPv6 } from 'node:net'
import type { Address, Cidr } from '../../cluster/address.js'

/** The default route in the address family of this gateway. */
export function defaultRoute(gateway: Address): Cidr {
  return isIPv6(gateway) ? '::/0' : '0.0.0.0/0'
}
