import { majority } from '../../cluster/quorum.js'
import { ifSeen } from '../../cluster/seen.js'
import { machinesAway } from '../../desired/away.js'
import { lostEtcd } from '../../etcd/lost-etcd.js'
import { defineFinding } from '../define-finding.js'
import type { Facts } from '../facts.js'
import type { Cure } from '../finding.js'
import { timeText } from '../threshold.js'

const code = 'ICH0501'
const cause = { because: { code, subject: 'etcd' } } as const

/** The cause of what only a majority can do, where there is none. */
export function becauseLost({ observed, inventory }: Pick<Facts, 'observed' | 'inventory'>): Partial<typeof cause> {
  return lostEtcd(observed, inventory) === undefined ? {} : cause
}

export const noMajority = defineFinding({
  code,
  name: 'etcd has lost its majority',
  severity: 'blocks',
  needs: ['proxmox', 'etcd'],
  *find(facts) {
    const lost = lostEtcd(facts.observed, facts.inventory)
    if (lost === undefined) return
    yield {
      subject: { kind: 'cluster', name: 'etcd' },
      title:
        lost === 'data' ? 'etcd is gone: no machine has its data.' : `etcd has lost its majority${membersOf(facts)}.`,
      detail: 'Kubernetes can be neither read nor changed.',
      cure: wayBack(facts),
    }
  },
})

function membersOf({ observed }: Facts): string {
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined) return ''
  const voters = etcd.members.filter(({ isLearner }) => !isLearner).length
  return `: ${etcd.healthy.length} of ${voters} members are healthy, ${majority(voters)} are needed`
}

function wayBack(facts: Facts): Cure {
  const { backup, now } = facts
  const first = mayReturn(facts) ? 'ichor up brings back what only has to start. If that is lost: ' : ''
  if (!backup.seen) return { text: `${first}ichor restore NAME, from a store of snapshots that can be read.` }
  const { newest } = backup.value
  return newest === undefined
    ? {
        text: `${first}${first === '' ? 'T' : 't'}here is no snapshot: ichor up --new-etcd starts over with an EMPTY etcd.`,
      }
    : {
        text: `${first}${first === '' ? 'R' : 'r'}estore the newest snapshot, which is ${timeText(now - newest.takenAt)} old.`,
        command: `ichor restore ${newest.name}`,
      }
}

/** A control plane that is off, silent or on a host that does not answer may still have its data. */
function mayReturn({ inventory, observed, refused = [] }: Facts): boolean {
  if (refused.length > 0) return false
  const isOut = observed.machines.some(
    ({ mark, talos }) => mark.role === 'controlplane' && (talos.reach === 'off' || talos.reach === 'silent'),
  )
  return isOut || machinesAway(inventory.machines, observed).some(({ machine }) => machine.role === 'controlplane')
}
