import type { UnverifiedVm } from '../../observe/observed.js'
import { defineFinding } from '../define-finding.js'
import type { Severity } from '../finding.js'

/** Machines on silent hosts are findings of those hosts. */
const severities: Readonly<Record<UnverifiedVm['because'], Severity | undefined>> = {
  copy: 'warns',
  'mark-lost': 'blocks',
  'other-cluster': 'blocks',
  'other-pool': 'blocks',
  stub: 'warns',
  foreign: 'info',
  'no-secrets': 'blocks',
  away: undefined,
  unread: undefined,
}

export const unverifiedVm = defineFinding({
  code: 'ICH0305',
  name: 'A VM looks like ours and is not proven',
  severity: 'warns',
  needs: ['proxmox'],
  *find({ observed: { unverified } }) {
    for (const { host, vmid, because, text } of unverified) {
      const severity = severities[because]
      if (severity === undefined) continue
      yield {
        severity,
        subject: { kind: 'object', name: `VM ${vmid}` },
        title: text,
        detail: 'ichor never changes a VM that it cannot prove to be its own.',
        where: `Proxmox host ${host}, VM ${vmid}`,
      }
    }
  },
})
