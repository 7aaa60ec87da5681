import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import type { ObservedEtcd } from '../../observe/observed.js'
import { defineFinding } from '../define-finding.js'

const code = 'ICH0501'

/** The cause of what only a majority can do. */
export const becauseNoMajority = { because: { code, subject: 'etcd' } } as const

export function hasLostMajority({ members, healthy }: ObservedEtcd): boolean {
  return healthy.length < majority(members.filter(({ isLearner }) => !isLearner).length)
}

export const noMajority = defineFinding({
  code,
  name: 'etcd has lost its majority',
  severity: 'blocks',
  needs: ['etcd'],
  *find({ observed, backup, now }) {
    const etcd = ifSeen(observed.etcd)
    const voters = etcd?.members.filter(({ isLearner }) => !isLearner) ?? []
    if (etcd === undefined || !hasLostMajority(etcd)) return
    const newest = ifSeen(backup)?.newest
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title: `etcd has lost its majority: ${etcd.healthy.length} of ${voters.length} members are healthy, ${majority(voters.length)} are needed.`,
      detail: 'Kubernetes can be neither read nor changed.',
      cure:
        newest === undefined
          ? {
              text: 'Bring the control planes back. If they are lost and there is nothing to keep, ichor up --new-etcd starts with an empty etcd.',
            }
          : {
              text: `Bring the control planes back. If they are lost: the newest snapshot is ${Math.round((now - newest.takenAt) / 60_000)} min old.`,
              command: `ichor restore ${newest.name}`,
            },
    }
  },
})
