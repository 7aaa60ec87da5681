import { lostEtcd } from '../../etcd/lost-etcd.js'
import { defineFinding } from '../define-finding.js'

export const etcdNotStarted = defineFinding({
  code: 'ICH0511',
  name: 'etcd was not started yet',
  severity: 'blocks',
  needs: ['etcd'],
  *find({ inventory, observed }) {
    const { etcd, machines } = observed
    const isThere = machines.some(({ mark, status }) => mark.role === 'controlplane' && status === 'running')
    if (!isThere || !etcd.seen || etcd.value !== undefined || lostEtcd(observed, inventory) !== undefined) return
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title: 'The control planes run, and etcd was not started yet.',
      detail: 'Without it there is no Kubernetes.',
      cure: { text: 'Go on with what creates the cluster.', command: 'ichor up' },
    }
  },
})
