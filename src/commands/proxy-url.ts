import type { Inventory } from '../inventory/inventory.js'

interface Socks {
  readonly host: string
  readonly port: number
}

/** The proxy for kubectl if the nodes are reachable only through one: the lab's, or `proxmox.socks`. */
export function proxyUrlOf({ settings }: Inventory, lab: { readonly socks: Socks } | undefined): string | undefined {
  if (lab !== undefined) return `socks5://${lab.socks.host}:${lab.socks.port}`
  // kubectl has one scheme for both, and lets the proxy resolve names.
  return settings.proxmox.socks?.replace(/^socks5h:/, 'socks5:')
}
