import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import { becauseOffline } from './host-offline.js'

/** For a local manager that does not report. These texts are not confirmed on a real Proxmox. */
const dead = /old timestamp|unable to read lrm status/

export const haManagerDead = defineFinding({
  code: 'ICH0210',
  name: 'The HA manager of a host does not report',
  severity: 'warns',
  certainty: 'likely',
  needs: ['examined.ha'],
  *find({ observed, examined }) {
    const offline = new Set(observed.proxmox.hosts.filter(({ online }) => !online).map(({ name }) => name))
    for (const { host, status } of ifSeen(examined?.ha)?.hosts ?? []) {
      if (!dead.test(status)) continue
      yield {
        subject: { kind: 'host', name: host },
        title: `The local HA manager of host ${host} does not report.`,
        detail: `Proxmox shows: ${status}. HA starts, moves and stops nothing on that host.`,
        ...(offline.has(host) ? becauseOffline(host) : {}),
        cure: { text: `As root on ${host}: systemctl status pve-ha-lrm watchdog-mux` },
      }
    }
  },
})
