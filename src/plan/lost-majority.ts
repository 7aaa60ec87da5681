import { majority } from '../cluster/quorum.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { hasMajority, memberOf } from '../etcd/etcd-members.js'
import { lostMajority } from '../findings/refusals/etcd.js'
import type { Observed, ObservedEtcd } from '../observe/observed.js'
import { isEmptied } from '../vm/emptied.js'
import { isThereUnproven, mayHoldEtcd } from './etcd/etcd-facts.js'

/**
 * The members that have a VM are too few to elect a leader, whatever is started: nothing can be done through etcd. VMs that cannot be
 * identified, and control planes that are off and may hold any member, are not called gone.
 */
export function refuseDeadEtcd(desired: Desired, observed: Observed): void {
  const { cluster, away } = desired
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined || hasMajority(etcd) || cluster.intent.newEtcd || cluster.restore !== undefined) return
  if (away.length > 0 || observed.proxmox.unreadHosts.length > 0) return
  const left = observed.machines.filter((machine) => !isEmptied(machine, desired))
  const members = new Set(left.map((machine) => memberOf(etcd, machine)?.id))
  const unmatched = left.filter((machine) => mayHoldEtcd(machine, observed) && memberOf(etcd, machine) === undefined)
  const lost = votersOf(etcd).filter(({ id, hostname }) => !members.has(id) && !mayBeThere(hostname, observed))
  if (votersOf(etcd).length - lost.length + unmatched.length < majority(votersOf(etcd).length))
    refuseWithoutMajority(
      lost.map(({ id, hostname }) => (hostname === '' ? `the member ${id}` : hostname)).sort(),
      etcd,
    )
}

function mayBeThere(name: string, observed: Observed): boolean {
  return isThereUnproven(name, observed) || (observed.proxmox.hidden ?? []).some(({ machine }) => machine === name)
}

/** `lost` are the machines of members that must leave. */
export function refuseWithoutMajority(lost: readonly string[], etcd: ObservedEtcd): void {
  if (hasMajority(etcd)) return
  const names = lost.join(', ')
  const voters = votersOf(etcd).length
  throw lostMajority.refuse(
    `${names} ${lost.length === 1 ? 'is' : 'are'} gone, and etcd has lost its majority: ${etcd.healthy.length} of ${voters} members are healthy, ${majority(voters)} are needed.`,
    {
      subject: { kind: 'machine', name: names },
      where: `machine ${names}`,
      fix: 'Recover another control plane first. If ichor destroy was interrupted, run it again. If the control planes are permanently lost, ichor restore restores etcd from a snapshot. If there is nothing to keep, ichor up --new-etcd starts over with an EMPTY etcd.',
    },
  )
}

/** Learners do not vote. */
function votersOf({ members }: ObservedEtcd): ObservedEtcd['members'] {
  return members.filter(({ isLearner }) => !isLearner)
}
