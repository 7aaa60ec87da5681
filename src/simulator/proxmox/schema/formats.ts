import { isIP, isIPv4, isIPv6 } from 'node:net'

/** Returns what is wrong with a text, as the original words it. */
type Check = (text: string, name: string) => string | undefined

const matches =
  (pattern: RegExp, complaint: string | ((text: string) => string)): Check =>
  (text) =>
    pattern.test(text) ? undefined : typeof complaint === 'string' ? complaint : complaint(text)

const dnsName = /^(?!.*\n)[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/
const unicastMac = /^[a-f0-9][02468ace](?::[a-f0-9]{2}){5}$/i

function isCidr(text: string, version?: 4 | 6): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  if (rest.length > 0 || !/^\d+$/.test(bits)) return false
  const isFour = isIPv4(address) && Number(bits) >= 8 && Number(bits) <= 32
  const isSix = isIPv6(address) && Number(bits) >= 8 && Number(bits) <= 128
  return version === 4 ? isFour : version === 6 ? isSix : isFour || isSix
}

function looksLike(isValid: (text: string) => boolean, what: string): Check {
  return (text) => (isValid(text) ? undefined : `value does not look like a valid ${what}`)
}

const hotplugFeatures = new Set(['network', 'disk', 'cpu', 'memory', 'usb', 'cloudinit'])

function hotplugProblem(text: string): string | undefined {
  if (/^[01]$/.test(text)) return undefined
  const wrong = splitList(text).find((feature) => !hotplugFeatures.has(feature))
  return wrong === undefined ? undefined : `invalid hotplug feature '${wrong}'`
}

const volumeId = /^[a-z][a-z0-9\-_.]*[a-z0-9]:.+$/i

const checks: Record<string, Check> = {
  string: () => undefined,
  'dns-name': looksLike((text) => dnsName.test(text), 'DNS name'),
  'pve-vmid': looksLike((text) => /^[1-9][0-9]{2,8}$/.test(text), 'VM ID'),
  'pve-node': looksLike((text) => /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(text), 'node name'),
  'mac-addr': looksLike((text) => unicastMac.test(text), 'unicast MAC address'),
  'mac-prefix': looksLike(
    (text) => /^[a-f0-9][02468ace](?::[a-f0-9]{2}){0,2}:?$/i.test(text),
    'unicast MAC address prefix',
  ),
  ip: looksLike((text) => isIP(text) !== 0, 'IP address'),
  ipv4: looksLike(isIPv4, 'IPv4 address'),
  ipv6: looksLike(isIPv6, 'IPv6 address'),
  CIDR: looksLike((text) => isCidr(text), 'CIDR network'),
  CIDRv4: looksLike((text) => isCidr(text, 4), 'IPv4 network'),
  CIDRv6: looksLike((text) => isCidr(text, 6), 'IPv6 network'),
  IPorCIDR: looksLike((text) => isIP(text) !== 0 || isCidr(text), 'IP address or CIDR network'),
  'pve-ipv4-config': looksLike((text) => /^(dhcp|manual)$/.test(text) || isCidr(text, 4), 'ipv4 network configuration'),
  'pve-ipv6-config': looksLike(
    (text) => /^(auto|dhcp|manual)$/.test(text) || isCidr(text, 6),
    'ipv6 network configuration',
  ),
  address: looksLike((text) => isIP(text) !== 0 || dnsName.test(text), 'address'),
  'pve-configid': matches(/^[a-z][a-z0-9_-]+$/i, (text) => `invalid configuration ID '${text}'`),
  'pve-storage-id': (text) =>
    /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i.test(text) ? undefined : `storage ID '${text}' contains illegal characters`,
  'pve-bridge-id': matches(/^[-_.\w\d]+$/, (text) => `invalid bridge ID '${text}'`),
  'pve-iface': matches(/^[a-zA-Z][a-zA-Z0-9_]{1,20}([:.]\d+)?$/, (text) => `invalid network interface name '${text}'`),
  'pve-tag': matches(/^[a-z0-9_][a-z0-9_\-+.]*$/i, 'invalid characters in tag'),
  'pve-poolid': poolProblem,
  'pve-groupid': matches(/^[A-Za-z0-9.\-_]+$/, (text) => `group name '${text}' contains invalid characters`),
  'pve-roleid': matches(/^[A-Za-z0-9.\-_]+$/, (text) => `role name '${text}' contains invalid characters`),
  'pve-realm': matches(/^[A-Za-z][A-Za-z0-9.\-_]+$/, 'value does not look like a valid realm'),
  'pve-userid': useridProblem,
  'pve-tokenid': matches(
    /^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+![A-Za-z][A-Za-z0-9.\-_]+$/,
    (text) => `value '${text}' does not look like a valid token ID`,
  ),
  'pve-startup-order': (text) => (startupIsValid(text) ? undefined : 'unable to parse startup options'),
  'pve-hotplug-features': hotplugProblem,
  'pve-qm-bootdisk': (text) =>
    /^(ide|sata|scsi|virtio|efidisk|tpmstate)\d+$/.test(text) ? undefined : `invalid boot disk '${text}'`,
  'pve-volume-id': matches(volumeId, (text) => `unable to parse volume ID '${text}'`),
  'pve-volume-id-or-qm-path': (text) =>
    /^(none|cdrom|\/.*)$/.test(text) || volumeId.test(text) ? undefined : `unable to parse volume ID '${text}'`,
  'pve-volume-id-or-absolute-path': (text) =>
    text.startsWith('/') || volumeId.test(text) ? undefined : `unable to parse volume ID '${text}'`,
  'disk-size': matches(/^\d+(\.\d+)?[KMGT]?$/, (text) => `value does not look like a valid disk size: ${text}`),
  'pve-cpuset': (text) => (/^\d+(-\d+)?(,\d+(-\d+)?)*$/.test(text) ? undefined : 'unable to parse cpuset option'),
  email: looksLike((text) => /^[\w+.-]+@[\w-]+(\.[\w-]+)*$/.test(text), 'email address'),
  'pve-sdn-zone-id': (text) =>
    text.length > 8 ? `zone ID '${text}' can't be more length than 8 characters` : undefined,
  urlencoded: matches(/^[-%a-zA-Z0-9_.!~*'()]*$/, (text) => `invalid urlencoded string: ${text}`),
  'pve-storage-content': matches(
    /^(images|rootdir|vztmpl|iso|backup|snippets|import|none)$/,
    (text) => `invalid content type '${text}'`,
  ),
  'pve-storage-path': matches(/^\/.+$/, 'value does not look like a valid absolute path'),
  'pve-storage-server': looksLike((text) => isIP(text) !== 0 || dnsName.test(text), 'server name or IP address'),
  'pve-priv': () => undefined,
  'pve-replication-job-id': () => undefined,
  'pve-task-status-type': matches(/^(ok|error|warning|unknown)$/, (text) => `invalid status '${text}'`),
}

function poolProblem(text: string): string | undefined {
  if (!/^[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+)*$/.test(text)) return `pool name '${text}' contains invalid characters`
  return text.split('/').length > 3 ? `pool name '${text}' nested too deeply (max levels = 3)` : undefined
}

function useridProblem(text: string): string | undefined {
  if (text.length < 3) return `user name '${text}' is too short`
  if (text.length > 64) return `user name '${text}' is too long (${text.length} > 64)`
  return /^[^\s:/]+@[A-Za-z][A-Za-z0-9.\-_]+$/.test(text)
    ? undefined
    : `value '${text}' does not look like a valid user name`
}

function startupIsValid(text: string): boolean {
  return text !== '' && text.split(',').every((part) => /^(order=)?\d+$/.test(part) || /^(up|down)=\d+$/.test(part))
}

/** Lists are separated by commas, semicolons, white space or NUL. */
export function splitList(text: string): string[] {
  return text.split(/[,;\s\0]+/).filter(Boolean)
}

export function isList(format: string): boolean {
  return format.endsWith('-list')
}

/** What is wrong with a text of that format. A format that the lab does not know accepts everything. */
export function formatProblem(format: string, text: string, name: string): string | undefined {
  const own = checks[format]
  if (own !== undefined) return own(text, name)
  const optional = /^(.*)-(opt|list)$/.exec(format)
  if (optional === null) return undefined
  const check = checks[optional[1] ?? '']
  if (check === undefined || (optional[2] === 'opt' && text === '')) return undefined
  for (const item of optional[2] === 'list' ? splitList(text) : [text]) {
    const problem = check(item, name)
    if (problem !== undefined) return problem
  }
  return undefined
}
