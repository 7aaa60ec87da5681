import { ifSeen } from '../../cluster/seen.js'
import { isUnmanaged } from '../../cluster/unmanaged.js'
import { machinesAway } from '../../desired/away.js'
import { mayBeAlive } from '../../etcd/may-be-alive.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'

/** Members that no machine of this cluster runs, or will run again once its host is back. */
export function strayMembers({
  inventory,
  observed,
}: Pick<Facts, 'inventory' | 'observed'>): { id: string; name: string; isLost: boolean }[] {
  const etcd = ifSeen(observed.etcd)
  const away = machinesAway(inventory.machines, observed).map(({ machine }) => machine.name)
  const known = new Set([
    ...observed.machines.flatMap(({ name, node }) => [name, node?.name ?? name]),
    ...observed.unverified.flatMap(({ holds }) => holds ?? []),
    ...away,
  ])
  return (etcd?.members ?? []).flatMap((member) => {
    const { id, hostname, isLearner } = member
    const isKnown = known.has(hostname) || isUnmanaged(hostname, inventory.settings.unmanaged_nodes)
    const isOurs = etcd?.owners[id] !== undefined || isKnown || (hostname === '' && isLearner)
    return isOurs ? [] : [{ id, name: hostname === '' ? id : hostname, isLost: !mayBeAlive(member, observed) }]
  })
}

export const memberWithoutMachine = defineFinding({
  code: 'ICH0510',
  name: 'An etcd member has no machine',
  severity: 'warns',
  needs: ['etcd', 'proxmox', 'kubernetes'],
  *find(facts) {
    for (const { id, name, isLost } of strayMembers(facts)) {
      yield {
        subject: { kind: 'member', name },
        title: `The etcd member ${name} has no machine of this cluster.`,
        detail: `It ${isLost ? 'counts for the majority and never answers' : 'may be starting, or run beside the inventory'}. Its ID is ${id}.`,
        cure: isLost
          ? { text: 'Remove it.', command: 'ichor up' }
          : {
              text: `If it was joined by hand, name its node in unmanaged_nodes. If it is lost: talosctl etcd remove-member ${id}, on a control plane.`,
            },
      }
    }
  },
})
