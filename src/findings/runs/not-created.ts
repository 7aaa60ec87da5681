import { ifSeen } from '../../cluster/seen.js'
import { lostEtcd } from '../../etcd/lost-etcd.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'
import type { Cure } from '../finding.js'
import { timeText } from '../threshold.js'

const code = 'ICH0326'

/** The cause of a machine that does not exist. */
export function becauseNotCreated(cluster: string) {
  return { because: { code, subject: cluster } } as const
}

export const notCreated = defineFinding({
  code,
  name: 'The cluster does not exist',
  severity: 'blocks',
  needs: ['proxmox', 'etcd'],
  *find(facts) {
    const { inventory, observed } = facts
    const { machines, unverified, etcd } = observed
    if (machines.length > 0 || unverified.some(({ holds }) => holds !== undefined)) return
    if (ifSeen(etcd) !== undefined || observed.proxmox.unreadHosts.length > 0) return
    if (lostEtcd(observed, inventory) !== undefined) return
    yield {
      subject: { kind: 'cluster', name: inventory.settings.cluster_name },
      title: 'No machine of this cluster exists.',
      detail: `The inventory wants ${inventory.machines.length}.`,
      cure: wayToCreate(facts),
    }
  },
})

/** Snapshots outlive their cluster, and also its secrets on this computer. */
function wayToCreate({ backup, now }: Facts): Cure {
  const newest = ifSeen(backup)?.newest
  if (newest === undefined) return { text: 'Create it.', command: 'ichor up' }
  const age = timeText(now - newest.takenAt)
  return {
    text: `Restore the newest snapshot, which is ${age} old (ichor up would create it with an EMPTY etcd).`,
    command: `ichor restore ${newest.name}`,
  }
}
