import { parse } from 'yaml'

/** One link of a nocloud network-config: the platform's settings. */
export interface PlatformLink {
  readonly name?: string
  /** Upper case. */
  readonly mac?: string
  /** With prefix. */
  readonly addresses: readonly string[]
  readonly dhcp: boolean
  readonly gateways: readonly string[]
}

export interface PlatformNetwork {
  readonly links: readonly PlatformLink[]
  readonly nameservers: readonly string[]
}

/** Reads version 1 or 2, with or without `network:`; `undefined` for anything else, as Talos then applies nothing. */
export function findPlatformNetwork(text: string): PlatformNetwork | undefined {
  const body = mapping(tryParse(text))
  const config = 'network' in body ? mapping(body.network) : body
  if (config.version === 1) return versionOne(config)
  if (config.version === 2) return versionTwo(config)
  return undefined
}

function versionOne(config: Record<string, unknown>): PlatformNetwork {
  const entries = list(config.config).map(mapping)
  return {
    links: entries.filter((entry) => entry.type === 'physical').map(physicalLink),
    nameservers: entries.filter((entry) => entry.type === 'nameserver').flatMap((entry) => texts(entry.address)),
  }
}

function physicalLink(entry: Record<string, unknown>): PlatformLink {
  const subnets = list(entry.subnets).map(mapping)
  const fixed = subnets.filter(({ type }) => type === 'static' || type === 'static6')
  return {
    ...named(entry.name, entry.mac_address),
    addresses: fixed.map(addressOf),
    dhcp: subnets.some(({ type }) => type === 'dhcp' || type === 'dhcp4'),
    gateways: fixed.flatMap(({ gateway }) => (typeof gateway === 'string' ? [gateway] : [])),
  }
}

function versionTwo(config: Record<string, unknown>): PlatformNetwork {
  const ethernets = Object.entries(mapping(config.ethernets)).map(([name, body]) => ({ name, body: mapping(body) }))
  return {
    links: ethernets.map(({ name, body }) => ({
      ...named(name, mapping(body.match).macaddress),
      addresses: texts(body.addresses),
      dhcp: body.dhcp4 === true,
      gateways: [...gatewaysOf(body)],
    })),
    nameservers: ethernets.flatMap(({ body }) => texts(mapping(body.nameservers).addresses)),
  }
}

function* gatewaysOf(body: Record<string, unknown>): Generator<string> {
  if (typeof body.gateway4 === 'string') yield body.gateway4
  if (typeof body.gateway6 === 'string') yield body.gateway6
  for (const route of list(body.routes).map(mapping)) {
    if (typeof route.via === 'string' && (route.to === 'default' || route.to === '0.0.0.0/0')) yield route.via
  }
}

function named(name: unknown, mac: unknown): { name?: string; mac?: string } {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof mac === 'string' ? { mac: mac.toUpperCase() } : {}),
  }
}

function addressOf(subnet: Record<string, unknown>): string {
  const address = String(subnet.address ?? '')
  if (address.includes('/')) return address
  return `${address}/${typeof subnet.netmask === 'string' ? prefixOf(subnet.netmask) : 32}`
}

function prefixOf(netmask: string): number {
  const ones = netmask.split('.').map((part) => Number(part).toString(2).replaceAll('0', '').length)
  return ones.reduce((sum, count) => sum + count, 0)
}

function tryParse(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function mapping(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function texts(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === 'string')
}
