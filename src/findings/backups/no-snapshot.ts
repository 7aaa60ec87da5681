import { defineFinding } from '../define-finding.js'

export const noSnapshot = defineFinding({
  code: 'ICH0902',
  name: 'There is no etcd snapshot',
  severity: 'info',
  needs: ['backup'],
  *find({ backup, observed }) {
    if (!backup.seen || backup.value.newest !== undefined || !observed.secrets.bootstrapped) return
    yield {
      subject: { kind: 'cluster', name: 'backup' },
      title: 'There is no snapshot of etcd.',
      detail: 'If all control planes are lost, everything in Kubernetes is lost with them.',
      cure: { text: 'Take one.', command: 'ichor backup' },
    }
  },
})
