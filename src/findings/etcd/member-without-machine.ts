import { ifSeen } from '../../cluster/seen.js'
import { isUnmanaged } from '../../cluster/unmanaged.js'
import { machinesAway } from '../../desired/away.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'

/** Members that no machine of this cluster runs, or will run again once its host is back. */
export function strayMembers({
  inventory,
  observed,
}: Pick<Facts, 'inventory' | 'observed'>): { id: string; name: string }[] {
  const etcd = ifSeen(observed.etcd)
  const away = machinesAway(inventory.machines, observed).map(({ machine }) => machine.name)
  const known = new Set([
    ...observed.machines.flatMap(({ name, node }) => [name, node?.name ?? name]),
    ...observed.unverified.flatMap(({ holds }) => holds ?? []),
    ...away,
  ])
  return (etcd?.members ?? []).flatMap(({ id, hostname, isLearner }) => {
    const isKnown = known.has(hostname) || isUnmanaged(hostname, inventory.settings.unmanaged_nodes)
    const isOurs = etcd?.owners[id] !== undefined || isKnown || (hostname === '' && isLearner)
    return isOurs ? [] : [{ id, name: hostname === '' ? id : hostname }]
  })
}

export const memberWithoutMachine = defineFinding({
  code: 'ICH0510',
  name: 'An etcd member has no machine',
  severity: 'warns',
  needs: ['etcd', 'proxmox'],
  *find(facts) {
    for (const { id, name } of strayMembers(facts)) {
      yield {
        subject: { kind: 'member', name },
        title: `The etcd member ${name} has no machine of this cluster.`,
        detail: `It counts for the majority and never answers. Its ID is ${id}.`,
        cure: { text: 'Remove it.', command: 'ichor up' },
      }
    }
  },
})
