import { isMapping, type MachineConfig, type Mapping } from './documents.js'
import { type IngressRules, ingressOf } from './ingress-rules.js'
import { type ConfigReader, findText, mappingsOf, readerOf, textOr, textsOf } from './read-values.js'

/** How a link is selected: by name, by alias, or by hardware. */
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

/** The network settings of a machine config, complete or partial. */
export interface NetworkFacts {
  readonly hostname?: string
  readonly links: readonly LinkConfig[]
  readonly vips: readonly string[]
  readonly nameservers: readonly string[]
  /** The clock is left as the hypervisor sets it. */
  readonly isTimeSyncDisabled: boolean
  readonly probes: readonly ProbeConfig[]
  readonly ingress: IngressRules
}

/** A TCP connection that is tried repeatedly. */
export interface ProbeConfig {
  /** `10.0.10.10:50000`. */
  readonly endpoint: string
  readonly intervalMs: number
  readonly failureThreshold: number
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
    isTimeSyncDisabled:
      reader.document('TimeSyncConfig')?.enabled === false || reader.v1('machine.time.disabled') === true,
    probes: reader.documents('TCPProbeConfig').map(({ body }) => probeOf(body)),
    ingress: ingressOf(reader),
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

/** Aliases by name; of CEL only the comparison with a MAC is supported, which identifies the links of a VM. */
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

function probeOf({ endpoint, interval, failureThreshold }: Mapping): ProbeConfig {
  return {
    endpoint: textOr(endpoint, ''),
    intervalMs: durationMs(textOr(interval, '1s')),
    failureThreshold: typeof failureThreshold === 'number' ? failureThreshold : 0,
  }
}

/** In Go's format, such as `1m30s`. */
function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
  return [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce(
    (sum, [, n, unit = 's']) => sum + Number(n) * (units[unit] ?? 0),
    0,
  )
}
