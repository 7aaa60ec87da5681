import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'
import { statusOfOurHosts } from '../hosts-of-ours.js'
import { percentText, severityAt, shareOf } from '../threshold.js'

export const rootFull = defineFinding({
  code: 'ICH0207',
  name: 'The root file system of a host is almost full',
  severity: 'warns',
  needs: ['examined.hosts'],
  *find(facts) {
    for (const { name, status } of statusOfOurHosts(facts)) {
      const { total, used } = status.rootFilesystem
      const share = shareOf(used, total)
      const severity = severityAt(share, { warns: 0.85, blocks: 0.95 })
      if (severity === undefined) continue
      yield {
        severity,
        subject: { kind: 'host', name },
        title: `The root file system of host ${name} is ${percentText(share)} full.`,
        detail: `${sizeText(total - used)} are free. Without space Proxmox can neither write its configuration nor run tasks.`,
        cure: { text: 'Delete old images, backups and logs on that host.' },
      }
    }
  },
})
