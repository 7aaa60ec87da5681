import { createHash } from 'node:crypto'
import { died } from '../api-error.js'
import type { Datacenter } from '../datacenter.js'
import { splitList } from '../schema/formats.js'
import type { VmState } from '../state.js'
import { findVolume } from '../storage/storages.js'
import { isNetKey, parseNet } from './net.js'

type Config = Readonly<Record<string, string>>

/** The resolv.conf of the lab's hosts: the default for a missing `nameserver`. */
export const hostNameserver = '192.0.2.53'

/** The files of a cloud-init drive, by their names in the nocloud format. */
export function cloudInitFiles(datacenter: Datacenter, vm: VmState): Record<string, string> {
  const custom = customFiles(datacenter, vm)
  const user = custom.user ?? userData(vm)
  const network = custom.network ?? networkConfig(datacenter, vm)
  return {
    'user-data': user,
    'network-config': network,
    'meta-data': custom.meta ?? metaData(user, network),
    'vendor-data': custom.vendor ?? '',
  }
}

/** `hostname` of user-data: the first label of the VM's name. */
export function userData({ config, vmid }: VmState, hidesPassword = false): string {
  const name = config.name ?? `VM${vmid}`
  const [hostname = name] = name.split('.')
  const fqdn = name.includes('.') || config.searchdomain === undefined ? name : `${name}.${config.searchdomain}`
  const { ciuser, cipassword, sshkeys, ciupgrade } = config
  const lines = [
    '#cloud-config',
    `hostname: ${hostname}`,
    'manage_etc_hosts: true',
    `fqdn: ${fqdn}`,
    ...(ciuser === undefined ? [] : [`user: ${ciuser}`]),
    ...(ciuser === 'root' ? ['disable_root: False'] : []),
    ...(cipassword === undefined ? [] : [`password: ${hidesPassword ? '**********' : cipassword}`]),
    ...(sshkeys === undefined ? [] : ['ssh_authorized_keys:', ...keysIn(sshkeys).map((key) => `  - ${key}`)]),
    'chpasswd:',
    '  expire: False',
    ...(ciuser === 'root' ? [] : ['users:', '  - default']),
    ...(ciupgrade === '0' ? [] : ['package_upgrade: true']),
  ]
  return `${lines.join('\n')}\n`
}

function keysIn(sshkeys: string): string[] {
  return decodeURIComponent(sshkeys)
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Version 1 of the network config, for NICs with an `ipconfig`. */
export function networkConfig({ pve }: Datacenter, { config }: VmState): string {
  const cards = Object.keys(config)
    .filter(isNetKey)
    .sort()
    .flatMap((key) => cardLines(pve, config, key))
  const nameservers = wordsOf(config.nameserver ?? hostNameserver)
  const search = wordsOf(config.searchdomain ?? '')
  const lines = [
    'version: 1',
    'config:',
    ...cards,
    '    - type: nameserver',
    ...listed('address', nameservers),
    ...listed('search', search),
  ]
  return `${lines.join('\n')}\n`
}

function listed(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`      ${name}:`, ...values.map((value) => `      - '${value}'`)]
}

function cardLines(pve: 8 | 9, config: Config, key: string): string[] {
  const id = key.slice('net'.length)
  const wanted = config[`ipconfig${id}`]
  if (wanted === undefined) return []
  const address = Object.fromEntries(wanted.split(',').map((part) => part.split(/=(.*)/s).slice(0, 2)))
  const mac = (parseNet(pve, config[key] ?? '').macaddr ?? '').toLowerCase()
  return [
    '    - type: physical',
    `      name: eth${id}`,
    `      mac_address: '${mac}'`,
    '      subnets:',
    ...subnet4(address),
    ...subnet6(address),
  ]
}

function subnet4({ ip, gw }: Config): string[] {
  if (ip === undefined) return []
  if (ip === 'dhcp') return ['      - type: dhcp4']
  const [address = '', bits] = ip.split('/')
  if (bits === undefined) throw died(`not a CIDR: ${ip}`)
  return [
    '      - type: static',
    `        address: '${address}'`,
    `        netmask: '${netmaskOf(Number(bits))}'`,
    ...(gw === undefined ? [] : [`        gateway: '${gw}'`]),
  ]
}

function subnet6({ ip6, gw6 }: Config): string[] {
  if (ip6 === undefined) return []
  if (ip6 === 'dhcp') return ['      - type: dhcp6']
  if (ip6 === 'auto') return ['      - type: ipv6_slaac']
  return [
    '      - type: static6',
    `        address: '${ip6}'`,
    ...(gw6 === undefined ? [] : [`        gateway: '${gw6}'`]),
  ]
}

function netmaskOf(bits: number): string {
  return [0, 8, 16, 24].map((from) => 256 - 2 ** (8 - Math.min(8, Math.max(0, bits - from)))).join('.')
}

/** The instance ID changes whenever user or network data change. */
export function metaData(user: string, network: string): string {
  return `instance-id: ${createHash('sha1').update(user).update(network).digest('hex')}\n`
}

/** `cicustom` replaces generated files with the user's. */
function customFiles(datacenter: Datacenter, { config, host }: VmState): Record<string, string> {
  const named = splitList((config.cicustom ?? '').replaceAll(',', ';')).map((part) => part.split(/=(.*)/s))
  return Object.fromEntries(
    named.map(([kind = '', volid = '']) => {
      if (!/^[^:]+:snippets\//.test(volid)) throw died(`${volid} is not in the snippets directory`)
      const volume = findVolume(datacenter, volid, host)
      if (volume === undefined) throw died(`volume '${volid}' does not exist`)
      return [kind, Buffer.from(volume.bytes ?? []).toString('utf8')]
    }),
  )
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
