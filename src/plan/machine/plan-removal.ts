import { deriveIdentity } from '../../cluster/identity.js'
import { ifSeen } from '../../cluster/seen.js'
import { findMember, memberOf } from '../../etcd/etcd-members.js'
import type { Observed, ObservedMachine } from '../../observe/observed.js'
import { deleteNode } from '../../steps/delete-node.js'
import { stopMachine } from '../../steps/power.js'
import { removeEtcdMember } from '../../steps/remove-etcd-member.js'
import { findWanted } from '../../work/wanted-machine.js'
import { planDisruption } from '../disruption.js'
import type { Draft, StepRef } from '../draft.js'
import { isThereUnproven } from '../etcd/etcd-facts.js'
import { mustWait } from '../etcd/unhealthy-members.js'
import { planLastMember } from '../last-member.js'
import { planTemplateRemoval } from '../plan-templates.js'
import { turnOf } from '../turns.js'
import { planDeletion } from './plan-deletion.js'
import { planLeaving } from './plan-leaving.js'
import type { Surge } from './surge.js'

const unwanted = 'removed from the inventory'
const gone = 'its VM is gone, and it was removed from the inventory'

/**
 * Our machines that are no longer wanted: drained, reset (which leaves etcd), then deleted. A control plane that must
 * wait for another one to return is left for the next round.
 */
export function planRemoval(draft: Draft, observed: Observed, surge: Surge): 'planned' | 'waiting' {
  const surplus = lostFirst(observed).filter(({ name }) => findWanted(draft.desired, name) === undefined)
  const waiting = surplus.filter((machine) => surge.staying.has(machine.name) || mustWait(draft, machine, observed))
  const saved = waiting.length > 0 ? [] : planLastMember(draft, observed)
  for (const machine of surplus) if (!waiting.includes(machine)) planRetirement(draft, machine, observed, surge, saved)
  planForgottenNodes(draft, observed)
  planTemplateRemoval(draft, observed)
  return waiting.length > 0 ? 'waiting' : 'planned'
}

/** Lost members leave before running ones, so that running members leave a healthy etcd. */
function lostFirst({ machines, etcd }: Observed): readonly ObservedMachine[] {
  const known = ifSeen(etcd)
  if (known === undefined) return machines
  const isLost = (machine: ObservedMachine) => !known.healthy.includes(memberOf(known, machine)?.id ?? '')
  return [...machines.filter(isLost), ...machines.filter((machine) => !isLost(machine))]
}

/**
 * Control planes that hold the remains of an abandoned etcd: the next round recreates them and bootstraps a new etcd.
 */
export function planGivenUp(draft: Draft, { machines }: Observed): void {
  const reason = 'the old etcd is given up, and it holds a part of it'
  for (const seen of machines) {
    const { name: machine, mark, status } = seen
    if (mark.role !== 'controlplane') continue
    const isRunning = status === 'running'
    const stopped = isRunning ? draft.add(stopMachine, { machine, because: 'removal' }, reason) : undefined
    planDeletion(draft, seen, { reason, after: [stopped] })
  }
}

function planRetirement(
  draft: Draft,
  seen: ObservedMachine,
  observed: Observed,
  surge: Surge,
  saved: readonly StepRef[],
): void {
  const isControlPlane = seen.mark.role === 'controlplane'
  // Check first that etcd keeps its majority.
  if (isControlPlane && !observed.etcd.seen && !draft.desired.cluster.intent.newEtcd) return
  const turn = turnOf({ name: seen.name, role: seen.mark.role, pool: 'removed' }, draft.desired)
  const reason = draft.desired.cluster.intent.leaving?.[seen.name] ?? unwanted
  planDisruption(draft, {
    seen,
    purpose: { leave: true },
    reason,
    before: isControlPlane ? [...draft.refs(removeEtcdMember), ...saved] : surge.before(seen.name),
    turn,
    work: (after) => planLeaving(draft, seen, observed, { after, turn, reason }),
  })
}

/** Nodes that are ours by the name of their machine, and whose VM was deleted by hand. No other step removes them. */
function planForgottenNodes(draft: Draft, observed: Observed): void {
  const { cluster, machines } = draft.desired
  if (observed.proxmox.unreadHosts.length > 0 || observed.unverified.some(({ because }) => because === 'away')) return
  const known = new Set([
    ...machines.map(({ machine }) => machine.identity.uuid),
    ...observed.machines.map(({ mark }) => mark.uuid),
  ])
  const etcd = ifSeen(observed.etcd)
  for (const { name, systemUuid, ready } of ifSeen(observed.kubernetes)?.nodes ?? []) {
    const uuid = systemUuid.toLowerCase()
    // A Ready node runs somewhere, even if its VM was not found.
    if (ready || known.has(uuid) || deriveIdentity(cluster.name, name).uuid !== uuid) continue
    if (isThereUnproven(name, observed)) continue
    const member = etcd === undefined ? undefined : findMember(etcd, { name })
    const left = member && draft.add(removeEtcdMember, { machine: name }, gone)
    draft.add(deleteNode, { machine: name, node: name }, gone, [left])
  }
}
