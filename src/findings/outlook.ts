import type { Observed } from '../observe/observed.js'
import type { Finding } from './finding.js'

/** What a look amounts to: `unknown` if nothing was found, and a whole source could not be seen. */
export type Outlook = 'well' | 'wrong' | 'unknown'

/** The one verdict of `status`, `health`, `doctor` and the page. */
export function outlookOf(findings: readonly Finding[], observed: Observed): Outlook {
  if (findings.some(({ severity }) => severity !== 'info')) return 'wrong'
  return isBlind(observed) ? 'unknown' : 'well'
}

function isBlind({ proxmox, machines, etcd, kubernetes }: Observed): boolean {
  const running = machines.filter(({ status }) => status === 'running')
  const areSilent = running.length > 0 && running.every(({ talos }) => talos.reach === 'silent')
  return proxmox.unreadHosts.length > 0 || areSilent || !etcd.seen || !kubernetes.seen
}
