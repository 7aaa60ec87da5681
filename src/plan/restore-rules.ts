import { majority } from '../cluster/quorum.js'
import { ifSeen } from '../cluster/seen.js'
import type { Desired, DesiredRestore } from '../desired/desired.js'
import { hasMajority } from '../etcd/etcd-members.js'
import {
  healthyEtcd,
  maybeHealthyEtcd,
  mayReturn,
  otherRestore,
  unfinishedRestore,
  unsavedEtcd,
} from '../findings/refusals/backups.js'
import type { Observed } from '../observe/observed.js'
import { holdsEtcd, mayHoldEtcd } from './etcd/etcd-facts.js'

/** When a restore of etcd is refused, and what makes it possible. */
export function refuseRestore(desired: Desired, observed: Observed): void {
  const { restore } = desired.cluster
  if (restore === undefined) return
  refuseAnother(desired, restore, observed)
  refuseUnreachable(desired, restore, observed)
  if (isUnderWay(observed)) return
  refuseHealthy(desired, restore, observed)
  refuseUnresponsive(desired, restore, observed)
  refuseUnsaved(desired, restore, observed)
}

/** `up` builds nothing on an etcd that is being replaced. */
export function refuseUnfinishedRestore({ cluster }: Desired, { secrets: { recovery }, etcd }: Observed): void {
  if (recovery === undefined || recovery.stage === 'done') return
  const found = ifSeen(etcd)
  const isSeen = found !== undefined && hasMajority(found)
  if (recovery.stage === 'recovering' && isSeen) return
  throw unfinishedRestore.refuse(`A restore of etcd from ${recovery.snapshot} is not finished.`, {
    subject: { kind: 'cluster', name: cluster.name },
    where: 'the secrets of the cluster',
    fix: `Run ichor restore ${argumentFor(recovery.snapshot)}: it continues where the last run ended.`,
  })
}

function argumentFor(snapshot: string): string {
  return snapshot.startsWith('sha256:')
    ? `--foreign FILE, with the file whose SHA-256 begins with ${snapshot.slice(7)}`
    : snapshot
}

function isUnderWay({ secrets: { recovery } }: Observed): boolean {
  return recovery !== undefined && recovery.stage !== 'done'
}

/** Members restored from different snapshots are never mixed. */
function refuseAnother({ cluster }: Desired, { snapshot }: DesiredRestore, { secrets: { recovery } }: Observed): void {
  if (recovery?.stage !== 'recovering' || recovery.snapshot === snapshot) return
  throw otherRestore.refuse(`A restore from ${recovery.snapshot} is under way: etcd may be there already.`, {
    subject: { kind: 'cluster', name: cluster.name },
    where: 'the secrets of the cluster',
    fix: `Finish it with ichor restore ${argumentFor(recovery.snapshot)}; then restore ${snapshot} with --over-healthy.`,
  })
}

/** Two old members that return later would be a majority of the old cluster. */
function refuseUnreachable({ away }: Desired, { mayBeGone }: DesiredRestore, { unverified, proxmox }: Observed): void {
  if (mayBeGone) return
  const lost = away.filter(({ machine }) => machine.role === 'controlplane')
  const unread = unverified.filter(({ because, vmid }) => because === 'away' && !away.some((one) => one.vmid === vmid))
  const names = [...lost.map(({ machine }) => machine.name), ...unread.map(({ vmid }) => `VM ${vmid}`)]
  const hosts = [...new Set([...lost, ...unread, ...proxmox.unreadHosts].map(({ host }) => host))].join(', ')
  if (names.length === 0) return
  throw mayReturn.refuse(`${names.join(', ')} cannot be reached and may return with the old etcd.`, {
    subject: { kind: 'machine', name: names.join(', ') },
    where: `Proxmox host ${hosts}`,
    fix: `Bring ${hosts} back. If it is permanently lost, run the command again with --gone. If it returns after all, run ichor up immediately: it removes these VMs.`,
  })
}

/**
 * One member with a leader is enough: a leader exists only while a majority votes, even if the others do not respond.
 */
function refuseHealthy({ cluster }: Desired, { overHealthy }: DesiredRestore, { etcd }: Observed): void {
  const found = ifSeen(etcd)
  if (overHealthy || found === undefined || found.healthy.length === 0) return
  const count = `${found.healthy.length} of ${found.members.length} members are healthy`
  const state = hasMajority(found) ? `is healthy: ${count}` : `has a leader, although only ${count} as seen from here`
  throw healthyEtcd.refuse(`etcd of ${cluster.name} ${state}. A restore would replace it.`, {
    subject: { kind: 'cluster', name: cluster.name },
    where: `cluster ${cluster.name}`,
    fix: 'To restore the snapshot anyway, run the command again with --over-healthy; the current state is saved first.',
  })
}

/**
 * Control planes that run and do not respond may be a majority among themselves. Not responding does not mean failed.
 */
function refuseUnresponsive({ cluster }: Desired, { mayBeGone }: DesiredRestore, { machines, etcd }: Observed): void {
  const controlPlanes = machines.filter(({ mark }) => mark.role === 'controlplane')
  const silent = controlPlanes.filter(({ talos, mark }) => talos.reach === 'silent' && mark.stage !== 'making')
  const members = ifSeen(etcd)?.members.length ?? controlPlanes.length
  if (mayBeGone || silent.length < majority(members)) return
  const names = silent.map(({ name }) => name).join(', ')
  throw maybeHealthyEtcd.refuse(
    `${names} ${silent.length === 1 ? 'runs and does' : 'run and do'} not answer: ${silent.length} of ${members} members may be a healthy etcd.`,
    {
      subject: { kind: 'machine', name: names },
      where: `cluster ${cluster.name}`,
      fix: `Check the network between this computer and the nodes, or switch them off. To give up their data, run the command again with --gone.`,
    },
  )
}

/** Data that cannot be read cannot be saved, and is lost with the VM. */
function refuseUnsaved({ cluster }: Desired, { mayBeGone }: DesiredRestore, observed: Observed): void {
  const controlPlanes = observed.machines.filter(({ mark }) => mark.role === 'controlplane')
  const unread = controlPlanes.filter((machine) => mayHoldEtcd(machine, observed))
  if (mayBeGone || unread.length === 0 || unread.some((machine) => holdsEtcd(machine, observed))) return
  const names = unread.map(({ name }) => name).join(', ')
  throw unsavedEtcd.refuse(
    `What etcd holds now cannot be saved: ${names} ${unread.length === 1 ? 'does' : 'do'} not answer.`,
    {
      subject: { kind: 'machine', name: names },
      where: `cluster ${cluster.name}`,
      fix: 'Start them, so that a copy can be saved first. To give up their data, run the command again with --gone.',
    },
  )
}
