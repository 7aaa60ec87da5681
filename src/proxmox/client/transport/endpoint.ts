import { UsageError } from '../../../errors.js'
import type { Target } from '../../../reach/dialer.js'

const apiPort = 8006

/** `https://pve1:8006/api2/json`, `pve1:8006`, `pve1` or `[fd00::1]`. Proxmox uses TLS only, so http is refused. */
export function parseEndpoint(text: string): Target {
  const url = URL.canParse(withScheme(text)) ? new URL(withScheme(text)) : undefined
  if (url === undefined || url.protocol !== 'https:' || url.hostname === '') {
    throw new UsageError(`"${text}" is not the address of a Proxmox API.`, {
      where: 'proxmox.endpoint',
      fix: 'Write it as https://HOST:8006, with the name or address of one of your Proxmox hosts.',
    })
  }
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: portOf(text, url) }
}

function withScheme(text: string): string {
  return text.includes('://') ? text : `https://${text}`
}

/** The URL parser drops an explicit 443, and no port means Proxmox's default. */
function portOf(text: string, url: URL): number {
  if (url.port !== '') return Number(url.port)
  return /:443(\/|$)/.test(text) ? 443 : apiPort
}
