import { ifSeen } from '../../cluster/seen.js'
import { hasMajority, memberOf } from '../../etcd/etcd-members.js'
import { oldEtcdReturned } from '../../findings/refusals/etcd.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { forgetGone } from '../../steps/note-recovery.js'
import { markSurvivor } from '../../steps/restart-survivor.js'
import { retireControlPlane } from '../../steps/retire-control-plane.js'
import type { Draft, StepRef } from '../draft.js'
import { planDeletion } from './plan-deletion.js'

/**
 * Machines that a restore gave up and that came back with their host. A control plane still has the replaced etcd: all
 * of them are switched off before any is deleted, so that no two can form a majority, and then recreated. A worker
 * restarts.
 */
export function planReturned(draft: Draft, observed: Observed): void {
  const { recovery } = observed.secrets
  const gone = new Set(recovery?.gone ?? [])
  if (recovery === undefined || gone.size === 0) return
  const returned = observed.machines.filter(({ name }) => gone.has(name))
  const stale = returned.filter((machine) => holdsOldEtcd(machine, observed))
  if (stale.length > 0 && recovery.stage === 'done') refuseWithoutRestored(stale, observed)
  const reason = 'it returned with the old etcd'
  const retired = stale.map(({ name: machine }) => draft.add(retireControlPlane, { machine }, reason))
  for (const machine of stale) planDeletion(draft, machine, { reason, after: retired })
  for (const { name: machine, mark } of returned.filter((one) => !stale.includes(one))) {
    const marked =
      mark.role === 'worker' && mark.stage === 'made'
        ? draft.add(markSurvivor, { machine, snapshot: recovery.snapshot }, 'it may have run through the restore')
        : undefined
    forget(draft, machine, 'it is back', marked)
  }
  for (const machine of gone) if (isProvenGone(machine, draft, observed)) forget(draft, machine, 'its VM is gone, too')
}

/** One at a time, because each step rewrites the same list. */
function forget(draft: Draft, machine: string, reason: string, after?: StepRef): void {
  draft.add(forgetGone, { machine }, reason, [after, ...draft.refs(forgetGone)])
}

/** A member of the restored etcd was wiped by hand and joined it. */
function holdsOldEtcd(machine: ObservedMachine, observed: Observed): boolean {
  if (machine.mark.role !== 'controlplane' || machine.mark.stage === 'making') return false
  const etcd = ifSeen(observed.etcd)
  return etcd === undefined || memberOf(etcd, machine) === undefined
}

function isProvenGone(name: string, { desired }: Draft, { machines, unverified, proxmox }: Observed): boolean {
  const isUnread = proxmox.unreadHosts.length > 0 || unverified.some(({ because }) => because === 'away')
  const isThere = machines.some((machine) => machine.name === name)
  return !isUnread && !isThere && !desired.away.some(({ machine }) => machine.name === name)
}

/** The old machine is deleted only while the restored etcd is healthy. */
function refuseWithoutRestored(stale: readonly ObservedMachine[], { etcd }: Observed): void {
  const found = ifSeen(etcd)
  if (found !== undefined && hasMajority(found)) return
  const names = stale.map(({ name }) => name).join(', ')
  throw oldEtcdReturned.refuse(`${names} returned with the old etcd, and the restored one cannot be read.`, {
    subject: { kind: 'machine', name: names },
    where: stale.map(({ host, vmid }) => `Proxmox host ${host}, VM ${vmid}`).join('; '),
    fix: 'Recover the other control planes first: ichor status shows which one is missing. If the restored etcd is lost, restore it again.',
  })
}
