import { type Address, type Cidr, familyOf } from '../../cluster/address.js'

/** The default route in the address family of this gateway. */
export function defaultRoute(gateway: Address): Cidr {
  return familyOf(gateway) === 6 ? '::/0' : '0.0.0.0/0'
}
