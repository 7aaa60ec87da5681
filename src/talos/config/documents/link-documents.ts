import { type ConfigObject, type ConfigValue, listUnlessEmpty } from '../config-value.js'
import type { Link, TalosMachine } from '../talos-machine.js'
import { bondDocuments } from './bond-documents.js'
import { linkAlias } from './link-alias.js'
import { newDocument } from './new-document.js'

/** All documents of all links: aliases by MAC first, then the links that use them. */
export function linkDocuments({ links, hostname }: TalosMachine): ConfigObject[] {
  return links.flatMap((link, index) => documentsOf(link, index, hostname !== undefined || !link.dhcpHostname))
}

function documentsOf(link: Link, index: number, ignoreHostname: boolean): ConfigObject[] {
  const name = link.bond === undefined ? `net${index}` : `bond${index}`
  const common = commonFields(link.addresses, link.routes, link.mtu)
  const own =
    link.bond === undefined
      ? [linkAlias(name, link.select), newDocument('LinkConfig', { name, ...common })]
      : bondDocuments(name, link.select, link.bond, common)
  return [
    ...own,
    ...(link.dhcp ? [dhcp(name, ignoreHostname)] : []),
    ...vip(name, link.vip),
    ...link.vlans.flatMap((vlan) => vlanDocuments(name, vlan, ignoreHostname)),
  ]
}

function vlanDocuments(parent: string, vlan: Link['vlans'][number], ignoreHostname: boolean): ConfigObject[] {
  const name = `${parent}.${vlan.id}`
  const routes = vlan.gateway === undefined ? [] : [{ gateway: vlan.gateway }]
  const common = commonFields(vlan.addresses, routes, vlan.mtu)
  return [
    newDocument('VLANConfig', { name, vlanID: vlan.id, parent, ...common }),
    ...(vlan.dhcp ? [dhcp(name, ignoreHostname)] : []),
    ...vip(name, vlan.vip),
  ]
}

/** A route without a destination is the default route. */
function commonFields(
  addresses: Link['addresses'],
  routes: Link['routes'],
  mtu: number | undefined,
): Record<string, ConfigValue | undefined> {
  return {
    up: true,
    mtu,
    addresses: listUnlessEmpty(addresses.map((address) => ({ address }))),
    routes: listUnlessEmpty(routes.map((route) => ({ ...route }))),
  }
}

function dhcp(name: string, ignoreHostname: boolean): ConfigObject {
  return newDocument('DHCPv4Config', { name, ignoreHostname: ignoreHostname ? true : undefined })
}

function vip(link: string, address: string | undefined): ConfigObject[] {
  return address === undefined ? [] : [newDocument('Layer2VIPConfig', { name: address, link })]
}
