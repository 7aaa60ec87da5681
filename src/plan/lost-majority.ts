import { majority } from '../cluster/quorum.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired } from '../desired/desired.js'
import { PlanRefused } from '../errors.js'
import { isEmptied } from '../machine/emptied.js'
import type { Observed, ObservedEtcd } from '../observe/observed.js'
import { hasMajority, memberOf } from './etcd-facts.js'

/** The members that have a VM are too few to elect a leader, whatever is started: nothing can be done through etcd. */
export function refuseDeadEtcd(desired: Desired, observed: Observed): void {
  const { cluster, away } = desired
  const etcd = ifSeen(observed.etcd)
  if (etcd === undefined || hasMajority(etcd) || cluster.newEtcd || cluster.restore !== undefined) return
  if (away.length > 0 || observed.proxmox.unreadHosts.length > 0) return
  const left = observed.machines.filter((machine) => !isEmptied(machine, desired))
  const members = new Set(left.flatMap((machine) => memberOf(etcd, machine)?.id ?? []))
  const voters = etcd.members.filter(({ isLearner }) => !isLearner)
  const lost = voters.filter(({ id }) => !members.has(id))
  if (voters.length - lost.length < majority(voters.length))
    refuseWithoutMajority(
      lost.map(({ id, hostname }) => (hostname === '' ? `the member ${id}` : hostname)).sort(),
      etcd,
    )
}

/** `lost` are the machines of members that must leave. */
export function refuseWithoutMajority(lost: readonly string[], etcd: ObservedEtcd): void {
  if (hasMajority(etcd)) return
  const names = lost.join(', ')
  const { members, healthy } = etcd
  throw new PlanRefused(
    `${names} ${lost.length === 1 ? 'is' : 'are'} gone, and etcd has lost its majority: ${healthy.length} of ${members.length} members are healthy, ${majority(members.length)} are needed.`,
    {
      where: `machine ${names}`,
      fix: 'Recover another control plane first. If ichor destroy was interrupted, run it again. If the control planes are permanently lost, ichor restore restores etcd from a snapshot. If there is nothing to keep, ichor up --new-etcd starts over with an EMPTY etcd.',
    },
  )
}
