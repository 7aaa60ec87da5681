import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { type ConfigReader, findText, mappingsOf, readerOf, textOr, textsOf } from './read-values.js'

/** How a link is distinguished: by its name, by its alias, or by what the hardware says. */
interface LinkSelector {
  readonly name?: string
  readonly mac?: string
}

export interface LinkConfig {
  readonly selector: LinkSelector
  readonly addresses: readonly string[]
  readonly dhcp: boolean
  readonly ignoreDhcpHostname: boolean
  readonly gateways: readonly string[]
}

/** What a machine config, complete or partial, says about the machine's own network. */
export interface NetworkFacts {
  readonly hostname?: string
  readonly links: readonly LinkConfig[]
  readonly vips: readonly string[]
  readonly nameservers: readonly string[]
}

export function networkFactsOf(config: MachineConfig): NetworkFacts {
  const reader = readerOf(config)
  const aliases = aliasesOf(reader)
  const hostname =
    findText(reader.document('HostnameConfig')?.hostname) ?? findText(reader.v1('machine.network.hostname'))
  const interfaces = mappingsOf(reader.v1('machine.network.interfaces'))
  return {
    ...(hostname === undefined ? {} : { hostname }),
    links: [...interfaces.map(oldLink), ...newLinks(reader, aliases)],
    vips: [
      ...interfaces.flatMap((entry) => findText(isMapping(entry.vip) ? entry.vip.ip : undefined) ?? []),
      ...reader.documents('Layer2VIPConfig').flatMap(({ name }) => name ?? []),
    ],
    nameservers: nameserversOf(reader),
  }
}

function oldLink(entry: Mapping): LinkConfig {
  const selector = isMapping(entry.deviceSelector) ? entry.deviceSelector : {}
  const mac = findText(selector.hardwareAddr) ?? findText(selector.permanentAddr)
  const name = findText(entry.interface)
  const cidr = findText(entry.cidr)
  return {
    selector: { ...(name === undefined ? {} : { name }), ...(mac === undefined ? {} : { mac: mac.toUpperCase() }) },
    addresses: [...textsOf(entry.addresses), ...(cidr === undefined ? [] : [cidr])],
    dhcp: entry.dhcp === true,
    ignoreDhcpHostname: false,
    gateways: mappingsOf(entry.routes).flatMap((route) => findText(route.gateway) ?? []),
  }
}

function newLinks(reader: ConfigReader, aliases: ReadonlyMap<string, string>): LinkConfig[] {
  const leases = new Map(reader.documents('DHCPv4Config').map(({ name = '', body }) => [name, body]))
  const links = reader.documents('LinkConfig')
  const names = new Set([...links.map(({ name = '' }) => name), ...leases.keys()])
  return [...names].map((name) => {
    const body = links.find((link) => link.name === name)?.body ?? {}
    const mac = aliases.get(name)
    return {
      selector: mac === undefined ? { name } : { mac },
      addresses: mappingsOf(body.addresses).map((entry) => textOr(entry.address, '')),
      dhcp: leases.has(name),
      ignoreDhcpHostname: leases.get(name)?.ignoreHostname === true,
      gateways: mappingsOf(body.routes).flatMap((route) => findText(route.gateway) ?? []),
    }
  })
}

/** Aliases by name; of CEL only the comparison with a MAC is understood, which is what distinguishes the links of a VM. */
function aliasesOf(reader: ConfigReader): Map<string, string> {
  const aliases = new Map<string, string>()
  for (const { name = '', body } of reader.documents('LinkAliasConfig')) {
    const match = textOr(isMapping(body.selector) ? body.selector.match : undefined, '')
    const mac = /(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}/.exec(match)?.[0]
    if (mac !== undefined) aliases.set(name, mac.toUpperCase())
  }
  return aliases
}

function nameserversOf(reader: ConfigReader): string[] {
  const fresh = mappingsOf(reader.document('ResolverConfig')?.nameservers).map((entry) => textOr(entry.address, ''))
  return fresh.length > 0 ? fresh : textsOf(reader.v1('machine.network.nameservers'))
}
