import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'

export const evenMembers = defineFinding({
  code: 'ICH0506',
  name: 'etcd has an even number of members',
  severity: 'warns',
  needs: ['etcd'],
  *find({ observed }) {
    const voters = ifSeen(observed.etcd)?.members.filter(({ isLearner }) => !isLearner).length ?? 0
    if (voters === 0 || voters % 2 === 1) return
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title: `etcd has ${voters} members, which survive no more failures than ${voters - 1}.`,
      detail: 'More members without more safety: each one can cost the majority.',
      cure: { text: 'Complete or remove a control plane, so that their number is odd.', command: 'ichor up' },
    }
  },
})
