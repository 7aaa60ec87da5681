import { defineFinding } from '../define-finding.js'
import { etcdStatuses } from '../etcd/etcd-statuses.js'

export const etcdVersions = defineFinding({
  code: 'ICH1104',
  name: 'etcd members have different versions',
  severity: 'info',
  needs: ['examined.controlPlanes'],
  *find(facts) {
    const statuses = etcdStatuses(facts)
    const versions = [...new Set(statuses.map(({ status }) => status.version))].filter((one) => one !== '').toSorted()
    if (versions.length < 2) return
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title: `The members of etcd run ${versions.join(' and ')}.`,
      detail: statuses.map(({ name, status }) => `${name} ${status.version}`).join(', '),
      cure: { text: 'Finish the upgrade; until then no new feature of etcd is used.' },
    }
  },
})
