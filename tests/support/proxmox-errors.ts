import type { ProxmoxErrorKind } from '../../src/proxmox/model/error-rule.js'
import { ProxmoxError } from '../../src/proxmox/model/proxmox-error.js'

/** A failure of that kind, whatever the words of Proxmox were. */
export function aProxmoxError(kind: ProxmoxErrorKind): ProxmoxError {
  const rule = { kind, pattern: /$/, message: () => kind, fix: '' }
  return new ProxmoxError({ method: 'GET', path: '/', reason: kind, outcome: 'failed', rule })
}
