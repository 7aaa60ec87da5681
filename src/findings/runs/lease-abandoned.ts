import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const leaseAbandoned = defineFinding({
  code: 'ICH0324',
  name: 'A lease is left behind',
  severity: 'info',
  needs: ['examined.lease'],
  *find({ inventory, examined }) {
    const lease = ifSeen(examined?.lease)
    if (lease === undefined || !lease.isGone) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: `The run of ${lease.holder} holds the lease, and no longer exists.`,
      detail: lease.since === undefined ? 'It was killed.' : `It began at ${lease.since} and was killed.`,
      cure: { text: 'Nothing: the next run that changes something takes the lease over.' },
    }
  },
})
