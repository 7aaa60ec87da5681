import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { memberOf } from '../etcd/etcd-members.js'
import type { Finding } from '../findings/finding.js'
import { lastMember } from '../findings/notes/etcd.js'
import type { Observed } from '../observe/observed.js'
import { findWanted } from '../work/wanted-machine.js'
import type { Draft, StepRef } from './draft.js'
import { planSnapshot } from './upgrade/plan-upgrade.js'

/** Neither one nor two members survive a failure, so etcd is backed up before the first member leaves. */
export function planLastMember(draft: Draft, observed: Observed): StepRef[] {
  const leaving = leavingForOne(draft.desired, observed)
  if (leaving.length === 0) return []
  const reason = 'a single member of etcd tolerates no failure'
  return [planSnapshot(draft, observed, `${leaving.join(', ')} leave etcd`, [], reason)]
}

/** What the user consents to. */
export function lastMemberNotes(desired: Desired, observed: Observed): Finding[] {
  const leaving = leavingForOne(desired, observed)
  if (leaving.length === 0) return []
  return [
    lastMember.note(
      `etcd goes from ${leaving.length + 1} members to one, and tolerates no failure from the removal of ${leaving[0]} on. A snapshot is taken first.`,
      { subject: { kind: 'cluster', name: 'etcd' } },
    ),
  ]
}

/** Running members that leave when only one member stays. */
function leavingForOne({ machines, away, cluster }: Desired, observed: Observed): string[] {
  const etcd = ifSeen(observed.etcd)
  const wanted = [...machines, ...away].filter(({ machine }) => machine.role === 'controlplane')
  if (etcd === undefined || cluster.intent.newEtcd || wanted.length !== 1) return []
  return observed.machines
    .filter((machine) => findWanted({ machines }, machine.name) === undefined)
    .filter((machine) => etcd.healthy.includes(memberOf(etcd, machine)?.id ?? ''))
    .map(({ name }) => name)
}
