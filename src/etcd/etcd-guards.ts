import { majority } from '../cluster/quorum.js'
import type { PlanRefused } from '../errors.js'
import { livingEtcd, majorityAtRisk, memberNotRemovable, stillMember, unseenEtcd } from '../findings/refusals/etcd.js'
import { findSeen, findWanted } from '../work/wanted-machine.js'
import type { WorkContext } from '../work/work-context.js'
import { askEtcdNow, type EtcdNow, findMemberNow, votesNow } from './etcd-now.js'
import { findRecovery } from './recovery-memory.js'
import { sickMembers } from './sick-members.js'
import { wasBootstrapped } from './was-bootstrapped.js'

/** What repairs the others, if it is known. */
function bringBack(machine: string, { observed }: WorkContext): string {
  const [sick] = sickMembers(observed).filter((one) => one.machine !== machine && one.fix !== undefined)
  return sick === undefined
    ? 'Recover the other control planes first: ichor status shows which one is missing.'
    : `${sick.fix}, then run the same command again.`
}

/** A control plane may be interrupted only while the other members are a majority. A single member has no others. */
export async function guardPause(machine: string, context: WorkContext): Promise<void> {
  if (!isControlPlane(machine, context) || isOnlyControlPlane(machine, context)) return
  const now = await askEtcdNow(context)
  if (now.respondingMember === undefined) return refuseIfUnseen(machine, 'restarts', context)
  const others = [...now.healthy.values()].filter((owner) => owner !== machine).length
  const isHealthy = [...now.healthy.values()].includes(machine)
  if (!isHealthy || now.members.length <= 1 || others >= majority(now.members.length)) return
  throw wouldLoseMajority(machine, now, context)
}

/** A member may leave permanently only while the members that stay have a majority without it. */
export async function guardLeave(machine: string, context: WorkContext): Promise<void> {
  if (!isControlPlane(machine, context)) return
  const now = await askEtcdNow(context)
  if (now.respondingMember === undefined) return refuseIfUnseen(machine, 'leaves', context)
  if (findMemberNow(now, machine, context) === undefined) return
  const staying = now.members.length - 1
  const others = [...now.healthy.values()].filter((owner) => owner !== machine).length
  if (staying > 0 && others >= majority(staying)) return
  throw wouldLoseMajority(machine, now, context)
}

/** A control plane must have left etcd, checked now, before it is stopped or deleted. */
export async function guardLeft(machine: string, context: WorkContext): Promise<void> {
  if (!isControlPlane(machine, context)) return
  const {
    restore,
    intent: { newEtcd = false },
  } = context.desired.cluster
  const stage = restore === undefined ? undefined : (await findRecovery(context))?.stage
  // The old etcd is removed completely, whatever its state.
  if (stage === 'clearing') return
  const now = await askEtcdNow(context)
  // An etcd without a leader can be given up. One with a leader is healthy.
  if ((newEtcd || stage === 'recovering') && now.healthy.size === 0) return
  if (now.respondingMember === undefined) return refuseIfUnseen(machine, 'goes', context)
  const member = findMemberNow(now, machine, context)
  if (member === undefined) return
  throw stillMember.refuse(`${machine} is still a member of etcd (${member.id}): it is neither stopped nor deleted.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Run the same command again: it checks etcd first.',
  })
}

/** A member is removed from the list only if it does not respond and the others have a majority. */
export async function guardRemoval(machine: string, context: WorkContext): Promise<void> {
  const now = await askEtcdNow(context)
  const { members, healthy } = now
  const member = findMemberNow(now, machine, context)
  const isHealthy =
    [...healthy.values()].includes(machine) || (member !== undefined && (await votesNow(member, context)))
  if (!isHealthy && members.length > 0 && healthy.size >= majority(members.length)) return
  const problem = isHealthy
    ? `The etcd member of ${machine} answers: it is not lost.`
    : `etcd has no majority: ${healthy.size} of ${members.length} members are healthy, and ${majority(members.length)} are needed to remove ${machine}.`
  throw memberNotRemovable.refuse(problem, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: 'Recover another control plane first. If they are permanently lost, ichor restore restores etcd from a snapshot.',
  })
}

/** Before a new etcd replaces the old one: no old member has a leader. */
export async function guardGivenUp(context: WorkContext): Promise<void> {
  const { healthy } = await askEtcdNow(context)
  const [first] = healthy.values()
  if (first === undefined) return
  throw livingEtcd.refuse(`${first} runs an etcd that has a leader: no new etcd is bootstrapped.`, {
    subject: { kind: 'machine', name: first },
    where: `machine ${first}`,
    fix: 'Run the same command without --new-etcd.',
  })
}

/** No member responds: expected only if etcd was never bootstrapped. */
async function refuseIfUnseen(
  machine: string,
  what: 'restarts' | 'leaves' | 'goes',
  { secrets, observed }: WorkContext,
): Promise<void> {
  const isMade = wasBootstrapped(observed) || ((await secrets.find())?.memory.bootstrapped ?? false)
  if (isMade) throw cannotSee(machine, what)
}

export function isControlPlane(machine: string, { desired, observed }: WorkContext): boolean {
  const role = findSeen(observed, machine)?.mark.role ?? findWanted(desired, machine)?.machine.role
  return role === 'controlplane'
}

export function isOnlyControlPlane(machine: string, context: WorkContext): boolean {
  const names = controlPlaneNames(context)
  return names.size === 1 && names.has(machine)
}

/** Those of the inventory, whether this run makes them or not, and those that are leaving. */
export function controlPlaneNames({ desired, observed }: WorkContext): ReadonlySet<string> {
  return new Set([
    ...[...desired.machines, ...desired.away]
      .filter((wanted) => wanted.machine.role === 'controlplane')
      .map((wanted) => wanted.machine.name),
    ...observed.machines.filter(({ mark }) => mark.role === 'controlplane').map(({ name }) => name),
  ])
}

function cannotSee(machine: string, what: 'restarts' | 'leaves' | 'goes'): PlanRefused {
  return unseenEtcd.refuse(`etcd cannot be seen: none of its members answers, so ${machine} is left as it is.`, {
    subject: { kind: 'machine', name: machine },
    where: `machine ${machine}`,
    fix: `Whether etcd keeps its majority when ${machine} ${what} must be seen first. Check the network between this computer and the nodes; ichor status shows which nodes respond.`,
  })
}

function wouldLoseMajority(machine: string, { members, healthy }: EtcdNow, context: WorkContext): PlanRefused {
  return majorityAtRisk.refuse(
    `etcd has ${members.length} members, ${healthy.size} of them healthy: without ${machine} it would lose its majority.`,
    { subject: { kind: 'machine', name: machine }, where: `machine ${machine}`, fix: bringBack(machine, context) },
  )
}
