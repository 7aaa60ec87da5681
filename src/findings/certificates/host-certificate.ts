import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

const dayMs = 86_400_000
/** Proxmox renews its own certificate two weeks before its end. */
const renewedByProxmox = new Set(['pve-ssl.pem'])

export const hostCertificate = defineFinding({
  code: 'ICH0802',
  name: 'The certificate of a host expires',
  severity: 'warns',
  needs: ['examined.hosts'],
  *find({ inventory, examined, now }) {
    const { certificate_warning_days: limit } = inventory.settings.observability
    for (const { name: host, certificates } of examined?.hosts ?? []) {
      for (const { name, expires } of ifSeen(certificates) ?? []) {
        const days = (expires - now) / dayMs
        if (days >= (renewedByProxmox.has(name) ? Math.min(limit, 13) : limit)) continue
        yield {
          severity: days < 7 ? 'blocks' : 'warns',
          subject: { kind: 'host', name: host },
          title: `${name} of host ${host} ${days < 0 ? 'expired' : 'expires'} on ${new Date(expires).toISOString().slice(0, 10)}.`,
          detail: 'ichor and the other hosts then refuse its API.',
          cure: { text: `Renew it, as root on ${host}: pvecm updatecerts --force, then systemctl restart pveproxy` },
        }
      }
    }
  },
})
