import type { Random } from '../random.js'
import { parsePropertyString } from '../schema/property-string.js'
import { ruleFor } from '../schema/verify.js'
import { optionRules } from './drive.js'

export function isNetKey(key: string): boolean {
  return /^net\d+$/.test(key)
}

export function parseNet(pve: 8 | 9, text: string): Record<string, string> {
  const rule = ruleFor(optionRules(pve), 'net0')
  const parsed = parsePropertyString(typeof rule?.format === 'object' ? rule.format : {}, text)
  return typeof parsed === 'string' ? {} : { ...parsed }
}

/** `virtio=BC:24:11:…` first, then the rest by name. */
export function printNet({ model = 'virtio', macaddr, ...rest }: Record<string, string>): string {
  const others = Object.keys(rest)
    .sort()
    .map((name) => `${name}=${rest[name] ?? ''}`)
  return [macaddr === undefined ? model : `${model}=${macaddr}`, ...others].join(',')
}

export function newMac(random: Random, prefix: string): string {
  const bytes = prefix.toUpperCase().replace(/:$/, '').split(':')
  while (bytes.length < 6) bytes.push(random.hex(2).toUpperCase())
  return bytes.join(':')
}

/** As stored: with a MAC, and booleans as digits. */
export function normaliseNet(pve: 8 | 9, text: string, random: Random, prefix: string): string {
  const net = parseNet(pve, text)
  net.macaddr ??= newMac(random, prefix)
  for (const name of ['firewall', 'link_down']) {
    const value = net[name]
    if (value !== undefined) net[name] = /^(1|on|yes|true)$/i.test(value) ? '1' : '0'
  }
  return printNet(net)
}
