import type { Dialer } from '../../../reach/dialer.js'
import { formatTarget, ReachError } from '../../../reach/reach-error.js'
import { secureConnect, type Trust as TlsTrust } from '../../../reach/tls.js'
import { parseEndpoint } from './endpoint.js'

/** Why we trust that the other end is the intended Proxmox host. */
export type Trust =
  | { readonly kind: 'system' }
  | { readonly kind: 'ca'; readonly pem: string }
  | { readonly kind: 'fingerprint'; readonly sha256: string }
  | { readonly kind: 'insecure' }

export function tlsTrust(trust: Trust): TlsTrust {
  switch (trust.kind) {
    case 'system':
      return {}
    case 'ca':
      return { ca: trust.pem }
    case 'fingerprint':
      return { pin: trust.sha256.replace(/^sha-?256[:=]/i, '').trim() }
    case 'insecure':
      return { insecure: true }
  }
}

/** Trust on first use: the current fingerprint of the host, for the user to compare and store. */
export async function fetchFingerprint(endpoint: string, dialer: Dialer, signal: AbortSignal): Promise<string> {
  const target = parseEndpoint(endpoint)
  const secured = await secureConnect(dialer, target, { trust: { insecure: true } }, signal)
  const fingerprint = secured.getPeerX509Certificate()?.fingerprint256
  secured.destroy()
  if (fingerprint !== undefined) return fingerprint
  throw new ReachError('untrusted', `${formatTarget(target)} shows no certificate.`, {
    where: formatTarget(target),
    fix: 'Check that this is the port of the Proxmox API, usually 8006.',
  })
}
