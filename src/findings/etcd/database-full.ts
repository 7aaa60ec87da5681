import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'
import { percentText, severityAt, shareOf } from '../threshold.js'
import { etcdStatuses, quotaOf } from './etcd-statuses.js'

export const databaseFull = defineFinding({
  code: 'ICH0503',
  name: 'The database of etcd is almost full',
  severity: 'warns',
  needs: ['examined.controlPlanes', 'talos.config'],
  *find(facts) {
    for (const { name, status } of etcdStatuses(facts)) {
      const quota = quotaOf(name, facts)
      const share = shareOf(status.dbSize, quota)
      const severity = severityAt(share, { warns: 0.8, blocks: 0.95 })
      if (severity === undefined) continue
      yield {
        severity,
        subject: { kind: 'member', name },
        title: `The etcd database of ${name} has ${sizeText(status.dbSize)}, ${percentText(share)} of its limit.`,
        detail: `${sizeText(status.dbSizeInUse)} of it hold data. At ${sizeText(quota)} etcd accepts no writes any more.`,
        cure:
          shareOf(status.dbSizeInUse, status.dbSize) < 0.5
            ? { text: 'More than half is unused: give it back.', command: 'ichor doctor --fix ICH0507' }
            : { text: 'Find what fills it (events, old releases of Helm), or raise quota-backend-bytes with a patch.' },
      }
    }
  },
})
