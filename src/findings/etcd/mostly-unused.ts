import { sizeText } from '../../cluster/size-text.js'
import { defineFinding } from '../define-finding.js'
import { shareOf } from '../threshold.js'
import { etcdStatuses } from './etcd-statuses.js'

const smallest = 500 * 1024 ** 2

/** Whether giving unused pages back is worth the moment in which the member does not answer. */
function isWorthDefragmenting(status: { readonly dbSize: number; readonly dbSizeInUse: number }): boolean {
  return status.dbSize > smallest && shareOf(status.dbSizeInUse, status.dbSize) < 0.5
}

export const mostlyUnused = defineFinding({
  code: 'ICH0507',
  name: 'More than half of an etcd database is unused',
  severity: 'info',
  needs: ['examined.controlPlanes'],
  *find(facts) {
    for (const { name, status } of etcdStatuses(facts)) {
      if (!isWorthDefragmenting(status)) continue
      yield {
        subject: { kind: 'member', name },
        title: `${sizeText(status.dbSize - status.dbSizeInUse)} of the ${sizeText(status.dbSize)} of the etcd database of ${name} are unused.`,
        detail: 'etcd gives space back only when it is defragmented.',
        cure: { text: 'Defragment one member after the other.', command: 'ichor doctor --fix ICH0507' },
      }
    }
  },
})
