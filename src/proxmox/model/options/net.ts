import { flag, integer, text } from './codec.js'
import { defineOptions } from './define-options.js'

const net = defineOptions({
  model: { key: 'model', codec: text, isHead: true },
  /** Upper case, as Proxmox prints it. An update without it generates a new one. */
  mac: { key: 'macaddr', codec: { read: (value) => value.toUpperCase(), write: (value: string) => value } },
  bridge: { key: 'bridge', codec: text },
  vlan: { key: 'tag', codec: integer },
  trunks: { key: 'trunks', codec: text },
  firewall: { key: 'firewall', codec: flag },
  linkDown: { key: 'link_down', codec: flag },
  mtu: { key: 'mtu', codec: integer },
  queues: { key: 'queues', codec: integer },
  rate: { key: 'rate', codec: text },
})

export type Net = ReturnType<typeof net.parse>

const short = /^([a-z][\w-]*)=([0-9A-F]{2}(?::[0-9A-F]{2}){5})(?=,|$)/i

/** `net0`: Proxmox prints `virtio=MAC` instead of `virtio,macaddr=MAC`. */
export function parseNet(source: string): Net {
  return net.parse(
    source.replace(short, (whole, model, mac) => (model === 'macaddr' ? whole : `${model},macaddr=${mac}`)),
  )
}

export function writeNet(value: Net): string {
  const { model, mac, ...rest } = value
  if (model === undefined || mac === undefined) return net.write(value)
  const others = net.write(rest)
  return `${model}=${mac}${others === '' ? '' : `,${others}`}`
}
