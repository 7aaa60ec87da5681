import { type ConfigObject, listUnlessEmpty, section } from '../config-value.js'
import { type Contract, hasNetworkDocuments } from '../contract.js'
import { defaultRoute } from '../default-route.js'
import type { Link, TalosMachine } from '../talos-machine.js'
import { classicBond } from './classic-bond.js'
import { deviceSelector } from './device-selector.js'

/** `machine.network`: everything up to contract 1.11, an empty section in 1.12, and absent later. */
export function networkSection(machine: TalosMachine, contract: Contract): ConfigObject | undefined {
  if (contract.minor > 12) return undefined
  if (hasNetworkDocuments(contract)) return {}
  return section({
    hostname: machine.hostname,
    interfaces: listUnlessEmpty(machine.links.map((link, index) => interfaceOf(link, index, contract))),
    nameservers: listUnlessEmpty(machine.nameservers),
  })
}

function interfaceOf(link: Link, index: number, contract: Contract): ConfigObject {
  return section({
    ...(link.bond === undefined
      ? { deviceSelector: deviceSelector(link.select) }
      : { interface: `bond${index}`, bond: classicBond(link, link.bond, contract) }),
    addresses: listUnlessEmpty(link.addresses),
    routes: listUnlessEmpty(link.routes.map(routeOf)),
    vlans: listUnlessEmpty(link.vlans.map(vlanOf)),
    mtu: link.mtu,
    dhcp: link.dhcp,
    vip: link.vip === undefined ? undefined : { ip: link.vip },
  })
}

function routeOf({ destination, gateway, metric }: Link['routes'][number]): ConfigObject {
  return section({ network: destination ?? defaultRoute(gateway), gateway, metric })
}

function vlanOf(vlan: Link['vlans'][number]): ConfigObject {
  return section({
    addresses: listUnlessEmpty(vlan.addresses),
    routes: vlan.gateway === undefined ? [] : [routeOf({ gateway: vlan.gateway })],
    dhcp: vlan.dhcp,
    vlanId: vlan.id,
    mtu: vlan.mtu,
    vip: vlan.vip === undefined ? undefined : { ip: vlan.vip },
  })
}
