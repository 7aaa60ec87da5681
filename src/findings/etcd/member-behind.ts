import { ifSeen } from '../../cluster/seen.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'
import { timeText } from '../threshold.js'
import { etcdStatuses } from './etcd-statuses.js'

const maxBehind = 1000
const maxLearningMs = 10 * 60_000

/** Members are asked one beside the other, not at one instant: a small distance is normal. */
export const memberBehind = defineFinding({
  code: 'ICH0504',
  name: 'An etcd member does not catch up',
  severity: 'warns',
  certainty: 'likely',
  needs: ['etcd', 'examined.controlPlanes', 'examined.machines'],
  *find(facts) {
    const statuses = etcdStatuses(facts)
    const newest = Math.max(0, ...statuses.map(({ status }) => status.appliedIndex))
    for (const { name, status } of statuses) {
      const cure = { text: 'If it stays behind, replace its machine.', command: `ichor replace ${name}` }
      const learnsMs = status.isLearner ? startedAgo(name, facts) : 0
      if (learnsMs > maxLearningMs)
        yield {
          subject: { kind: 'member', name },
          title: `The etcd member ${name} has been learning for ${timeText(learnsMs)}.`,
          detail: 'It does not vote until it has caught up, and no other member can join meanwhile.',
          cure,
        }
      else if (!status.isLearner && newest - status.appliedIndex > maxBehind)
        yield {
          subject: { kind: 'member', name },
          title: `The etcd member ${name} is ${newest - status.appliedIndex} changes behind.`,
          detail: 'Its disk or its network is too slow: what is read from it is old.',
          cure,
        }
    }
  },
})

/** How long its etcd has been running, by the clock of the node. */
function startedAgo(name: string, { examined }: Facts): number {
  const node = examined?.machines.find((one) => one.name === name)
  const changedAt = ifSeen(node?.services)?.find(({ id }) => id === 'etcd')?.changedAt
  const now = ifSeen(node?.time)?.clock?.node
  return changedAt === undefined || now === undefined ? 0 : now - changedAt
}
